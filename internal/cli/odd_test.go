package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/runtime/receipt"
)

// No line that a person can type is a bug of runx: whatever is wrong has a class and a code.
func TestOddLines(t *testing.T) {
	digits := strings.Repeat("0", 63)
	lines := []string{
		"receipt verify", "receipt verify a b", "receipt verify --all x", "receipt verify .", "receipt verify nope", "receipt verify sha256:00", "receipt verify 00000000",
		"receipt verify - --package nope", "receipt verify - --inputs nope", "receipt verify - --inputs .", "receipt verify --all", "receipt verify sha256:" + digits + "2",
		"receipt show", "receipt show a b", "receipt show 00000000", "receipt show " + digits + "0", "receipt show " + digits + "2", "receipt show /", "receipt show ..",
		"receipt list --limit x", "receipt list --limit -1", "receipt list --since x", "receipt list --status", "receipt list extra",
		"fixtures check --jobs -1", "fixtures check --jobs 65", "fixtures check --shard x", "fixtures check --shard 2/1", "fixtures check nope", "fixtures check --format x", "fixtures check --case nope", "fixtures check --lane nope",
		"skill list extra", "skill inspect", "skill inspect nope", "skill inspect ./pack nope", "skill inspect ./pack main extra", "skill validate", "skill validate nope", "skill validate .keep",
		"skill new", "skill new A", "skill new a b", "skill new pack", "skill new nope/x", "skill new x --type nope", "skill .", "skill ''", "skill registry:x", "skill a/b@1", "skill ./pack/X.yaml nope",
		"skill ./pack -i", "skill ./pack -i text", "skill ./pack -i =x", "skill ./pack --input-json text={", "skill ./pack --timeout x", "skill ./pack --inputs", "skill ./pack --inputs=", "skill ./pack --inputs .",
		"skill ./pack --inputs /nope", "skill ./pack --state-dir .keep", "skill ./pack --receipt-dir", "skill ./pack -z", "skill ./pack --text", "skill ./pack --no-text", "skill --text x ./pack",
		"config", "config list x", "config get", "config get x", "config get a b", "config set x y", "config get credentials.", "config set credentials.a.b x --project",
		"credential", "credential list x", "credential rm", "credential rm a b", "credential rm nope", "credential set", "credential set a --profile", "credential set a --mode ''",
		"doctor x", "doctor --nope", "version x", "completion", "completion nope", "completion bash x", "help help", "help a b", "--color", "--color=blue", "--debug=x", "-h=x", "-", "--", "-- x", "=", "--=x",
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			w := newWorld(t)
			w.pack(t, "print", "x", "")
			for _, name := range []string{digits + "0", digits + "1"} {
				w.write(t, filepath.Join(w.workspace, ".runx", "receipts", "sha256-"+name+".json"), "{}\n")
			}
			w.write(t, filepath.Join(w.workspace, ".runx", "receipts", "sha256-"+digits+"2.json"), strings.Repeat(" ", int(receipt.MaxBytes)+1))
			args := strings.Fields(line)
			for i, arg := range args {
				args[i] = strings.ReplaceAll(arg, "''", "")
			}
			got := w.main(t, "", args...)
			if got.code == 70 || got.code != 0 && got.out+got.err == "" {
				t.Errorf("exit %d\nstdout %.300s\nstderr %s", got.code, got.out, got.err)
			}
		})
	}
}
