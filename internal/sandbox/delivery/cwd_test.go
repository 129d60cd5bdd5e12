package delivery

import (
	"testing"

	"github.com/runx-go/runx/internal/sandbox"
)

func TestResolveDir(t *testing.T) {
	tests := []struct{ name, os, cwd, want string }{
		{"absent", "linux", "", "/pkg/a"},
		{"workspace", "linux", "{{env.RUNX_CWD}}", "/work"},
		{"only the exact token", "linux", "{{ env.RUNX_CWD }}", "/pkg/a/{{ env.RUNX_CWD }}"},
		{"relative", "linux", "sub/dir", "/pkg/a/sub/dir"},
		{"dot", "linux", ".", "/pkg/a"},
		{"leads outside", "linux", "../target", "/pkg/target"},
		{"above the root", "linux", "../../../..", "/"},
		{"absolute as it is", "linux", "/x/../y/", "/x/../y/"},
		{"a backslash is a character", "linux", `sub\dir`, `/pkg/a/sub\dir`},
		{"a drive is a name", "darwin", `C:\x`, `/pkg/a/C:\x`},
		{"windows absent", "windows", "", `D:\pkg\a`},
		{"windows workspace", "windows", "{{env.RUNX_CWD}}", `D:\work`},
		{"windows relative", "windows", `sub/x\..\dir`, `D:\pkg\a\sub\dir`},
		{"windows leads outside", "windows", `..\target`, `D:\pkg\target`},
		{"windows above the root", "windows", `..\..\..`, `D:\`},
		{"windows absolute as it is", "windows", `c:/x/../y`, `c:/x/../y`},
		{"windows share", "windows", `\\server\share\x`, `\\server\share\x`},
		{"windows share alone", "windows", `//server/share`, `//server/share`},
		{"windows on the same drive", "windows", `\x\y`, `D:\x\y`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := Request{Host: sandbox.Host{OS: tt.os}, BaseDir: "/pkg/a", Workspace: "/work", Cwd: tt.cwd}
			if tt.os == "windows" {
				req.BaseDir, req.Workspace = `D:\pkg\a`, `D:\work`
			}
			if got := resolveDir(req); got != tt.want {
				t.Errorf("resolveDir(%q) = %q, want %q", tt.cwd, got, tt.want)
			}
		})
	}
}

func TestResolveCommand(t *testing.T) {
	tests := []struct{ name, os, command, base, want string }{
		{"bare", "linux", "git", "/pkg", "git"},
		{"bare with a backslash", "linux", `a\b`, "/pkg", `a\b`},
		{"relative", "linux", "./run.sh", "/pkg", "/pkg/run.sh"},
		{"below", "linux", "bin/run", "/pkg", "/pkg/bin/run"},
		{"outside", "linux", "../bin/run", "/pkg", "/bin/run"},
		{"absolute", "linux", "/usr/bin/env", "/pkg", "/usr/bin/env"},
		{"windows bare", "windows", "git.exe", `C:\pkg`, "git.exe"},
		{"windows slash", "windows", "bin/run.exe", `C:\pkg`, `C:\pkg\bin\run.exe`},
		{"windows backslash", "windows", `.\run.exe`, `C:\pkg`, `C:\pkg\run.exe`},
		{"windows absolute", "windows", `D:\run.exe`, `C:\pkg`, `D:\run.exe`},
		{"windows same drive", "windows", `\tools\run.exe`, `C:\pkg`, `C:\tools\run.exe`},
		{"windows from a share", "windows", `..\run.exe`, `\\server\share\pkg`, `\\server\share\run.exe`},
		{"windows never above a share", "windows", `..\..\..\run.exe`, `//server/share/pkg`, `\\server\share\run.exe`},
		{"windows long path form", "windows", `.\run.exe`, `\\?\C:\pkg`, `\\?\C:\pkg\run.exe`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// The working directory has no say.
			req := Request{Host: sandbox.Host{OS: tt.os}, BaseDir: tt.base, Cwd: "/elsewhere", Command: tt.command}
			if got := resolveCommand(req); got != tt.want {
				t.Errorf("resolveCommand(%q) = %q, want %q", tt.command, got, tt.want)
			}
		})
	}
}

func TestIsAbs(t *testing.T) {
	tests := []struct {
		os, path string
		want     bool
	}{
		{"linux", "/", true}, {"linux", "a", false}, {"linux", "", false}, {"darwin", `C:\`, false},
		{"windows", `C:\`, true}, {"windows", "c:/a", true}, {"windows", "C:", false}, {"windows", "C:a", false},
		{"windows", `\a`, false}, {"windows", "/a", false}, {"windows", `\\server\share`, true},
		{"windows", `\\server\share\a`, true}, {"windows", `\\server`, false}, {"windows", `\\server\`, false},
		{"windows", `\\\share`, false}, {"windows", `\\server\\x`, false}, {"windows", `1:\a`, false}, {"windows", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.os+" "+tt.path, func(t *testing.T) {
			if got := isAbs(tt.os, tt.path); got != tt.want {
				t.Errorf("isAbs(%q, %q) = %v, want %v", tt.os, tt.path, got, tt.want)
			}
		})
	}
}
