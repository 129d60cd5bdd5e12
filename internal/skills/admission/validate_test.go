package admission

import (
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidate(t *testing.T) {
	tests := []struct {
		name            string
		manual, profile string
		want            []string
	}{
		{name: "nothing", manual: goodManual, profile: goodProfile, want: []string{}},
		{name: "the standard", manual: "---\nname: Tidy\ntags: [a]\nrunx: {}\n---\n", want: []string{
			"error standard_description SKILL.md:2:1", "error standard_name SKILL.md:2:7", "error standard_name SKILL.md:2:7",
			"error standard_key SKILL.md:3:1", "warning standard_flow SKILL.md:3:7",
			"error standard_key SKILL.md:4:1", "warning standard_flow SKILL.md:4:7",
		}},
		{name: "beside duplicate keys", manual: "---\nname: tidy\nname: x\ntags: a\n---\n",
			profile: "skill: tidy\nskill: tidy\nrunners:\n  a: {type: cli-tool, command: ./.git/x, args: ['{{n}}']}\n", want: []string{
				"error standard_description SKILL.md:2:1", "error duplicate_key SKILL.md:3:1", "error standard_key SKILL.md:4:1",
				"error duplicate_key X.yaml:2:1", "error command_outside_digest X.yaml:4:32", "error template_unknown X.yaml:4:49",
			}},
		{name: "style", manual: goodManual, profile: goodProfile + "      n: {default: 0123}\n    description: fix #12 now\n", want: []string{
			"warning yaml_scalar X.yaml:10:20", "warning yaml_comment X.yaml:11:22"}},
		{name: "unavailable runners", manual: goodManual, profile: "runners:\n  a: {type: mcp}\n  b: {type: cli-tool, command: x, mint_authority: 1}\n", want: []string{
			"warning runner_unavailable X.yaml:2:13", "warning runner_unavailable X.yaml:3:35"}},
		{name: "retry", manual: goodManual, profile: "runners:\n  a: {type: cli-tool, command: x, mutating: true, retry: {max_attempts: 2}}\n" +
			"  b: {type: cli-tool, command: x, mutating: true, idempotency: k, retry: {max_attempts: 2}}\n" +
			"  c: {type: cli-tool, command: x, mutating: true, default: true, retry: {max_attempts: 1}}\n", want: []string{
			"error retry_needs_key X.yaml:2:3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"tidy/SKILL.md": tt.manual}
			if tt.profile != "" {
				files["tidy/X.yaml"] = tt.profile
			}
			findings, err := Validate(t.Context(), join(tree(t, files), "tidy"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, codes(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := Validate(t.Context(), filepath.Join(t.TempDir(), "none"), Options{}); err == nil {
		t.Error("a missing directory was validated")
	}
}

// What only fails validate does not stop a run.
func TestLoadIsNotStrict(t *testing.T) {
	p := load(t, map[string]string{"SKILL.md": "---\nname: Not--Standard\n---\n",
		"X.yaml": "runners: {a: {type: cli-tool, command: x, mutating: true, retry: {max_attempts: 2}}}\n"}, Options{})
	if p.Name != "Not--Standard" || len(p.Warnings) > 0 {
		t.Errorf("got %q with %v", p.Name, p.Warnings)
	}
}

func TestAdmissionsLeaveNothing(t *testing.T) {
	open := needOpenFiles(t)
	dir := tree(t, map[string]string{
		"skills/a/SKILL.md": goodManual, "skills/a/X.yaml": goodProfile + "    artifacts: {wrap_as: w, packet: p.v1}\n", "skills/a/packets/p.json": `{"x-runx-packet-id":"p.v1"}`,
		"skills/b/SKILL.md": goodManual, "skills/b/link": "->/etc", "skills/b/d/e/f": "text",
	})
	round := func() {
		if _, err := Load(t.Context(), join(dir, "skills/a"), Options{Workspace: dir}); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(t.Context(), join(dir, "skills/b"), Options{Workspace: dir}); err == nil {
			t.Fatal("a link to /etc was accepted")
		}
	}
	heap := func() uint64 {
		goruntime.GC()
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for range 20 {
		round()
	}
	if _, _, err := Discover(t.Context(), dir, "", []string{"skills"}, Options{}); err != nil {
		t.Fatal(err)
	}
	files, bytes := open(), heap()
	for range 500 {
		round()
	}
	if now := open(); now != files {
		t.Errorf("%d open files, before 1000 admissions %d", now, files)
	}
	const slack = 256 << 10
	if now := heap(); now > bytes+slack {
		t.Errorf("the heap has %d bytes, before 1000 admissions %d", now, bytes)
	}
}

func TestUnreadable(t *testing.T) {
	dir := tree(t, map[string]string{"SKILL.md": goodManual, "secret": "x", "closed/f": ""})
	for _, name := range []string{"secret", "closed"} {
		if err := os.Chmod(join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(join(dir, name), 0o700) })
	}
	needDenial(t, join(dir, "secret"))
	_, refused := refusal(t, dir, Options{})
	if diff := cmp.Diff([]string{"error package_read closed", "error package_read secret"}, refused); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
