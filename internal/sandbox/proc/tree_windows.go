package proc

import (
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// endsAtOnce is true: the system has no way to ask a tree to end.
const endsAtOnce = true

// tree is a process in a job object of its own, with everything that it starts.
type tree struct {
	process, job windows.Handle
	done         chan struct{} // the leader ended
	killed       bool          // the leader was still there when the job was terminated
	code         uint32
}

// startTree starts the leader suspended, puts it into its job and lets it go, so that it cannot
// start anything outside of it. The job ends with this process: the last handle to it kills.
func startTree(l launch) (*tree, error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	info, err := createSuspended(l)
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	defer func() { _ = windows.CloseHandle(info.Thread) }()
	if err = windows.AssignProcessToJobObject(job, info.Process); err == nil {
		_, err = windows.ResumeThread(info.Thread)
	}
	if err != nil {
		_ = windows.TerminateProcess(info.Process, 1)
		_ = windows.CloseHandle(info.Process)
		_ = windows.CloseHandle(job)
		return nil, err
	}
	t := &tree{process: info.Process, job: job, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		_, _ = windows.WaitForSingleObject(t.process, windows.INFINITE)
	}()
	return t, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// createSuspended creates the process. It inherits copies of the three files and nothing else.
func createSuspended(l launch) (info windows.ProcessInformation, err error) {
	var std [3]windows.Handle
	defer func() {
		for _, h := range std {
			if h != 0 {
				_ = windows.CloseHandle(h)
			}
		}
	}()
	self := windows.CurrentProcess()
	for i, f := range l.files {
		if err := windows.DuplicateHandle(self, windows.Handle(f.Fd()), self, &std[i], 0, true, windows.DUPLICATE_SAME_ACCESS); err != nil {
			return info, err
		}
	}
	goruntime.KeepAlive(l.files)
	attributes, err := windows.NewProcThreadAttributeList(1)
	if err != nil {
		return info, err
	}
	defer attributes.Delete()
	if err := attributes.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(&std[0]), unsafe.Sizeof(std)); err != nil {
		return info, err
	}
	startup := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	startup.Cb = uint32(unsafe.Sizeof(startup))
	startup.Flags = windows.STARTF_USESTDHANDLES
	startup.StdInput, startup.StdOutput, startup.StdErr = std[0], std[1], std[2]
	text, err := newProcessText(l)
	if err != nil {
		return info, err
	}
	const flags = windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP |
		windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT
	err = windows.CreateProcess(text.path, text.line, nil, nil, true, flags, &text.env[0], text.dir, &startup.StartupInfo, &info)
	return info, err
}

// processText is what the system reads as UTF-16.
type processText struct {
	path, line, dir *uint16
	env             []uint16 // entries, each with its NUL, and one NUL more
}

func newProcessText(l launch) (t processText, err error) {
	if t.path, err = windows.UTF16PtrFromString(l.path); err != nil {
		return t, err
	}
	if t.line, err = windows.UTF16PtrFromString(windows.ComposeCommandLine(l.argv)); err != nil {
		return t, err
	}
	if t.dir, err = windows.UTF16PtrFromString(l.dir); err != nil {
		return t, err
	}
	for _, entry := range l.env {
		text, err := windows.UTF16FromString(entry)
		if err != nil {
			return t, err
		}
		t.env = append(t.env, text...)
	}
	if len(t.env) == 0 {
		t.env = append(t.env, 0)
	}
	t.env = append(t.env, 0)
	return t, nil
}

// exited is closed when the leader has ended.
func (t *tree) exited() <-chan struct{} { return t.done }

// term does nothing: see endsAtOnce.
func (t *tree) term() {}

// empty says whether nobody is left in the job.
func (t *tree) empty() bool { return t.active() == 0 }

// swept is the outcome of a sweep.
type swept struct {
	escaped int  // always 0: nothing leaves a job
	left    bool // something did not end within sweepLimit
}

// sweep terminates the job and waits until it is empty.
func (t *tree) sweep() swept {
	select {
	case <-t.done:
	default:
		t.killed = true
	}
	_ = windows.TerminateJobObject(t.job, 1)
	left := !t.emptied()
	if !left {
		<-t.done
		_ = windows.GetExitCodeProcess(t.process, &t.code)
		_ = windows.CloseHandle(t.process)
	}
	_ = windows.CloseHandle(t.job)
	return swept{left: left}
}

// emptied waits until no process is in the job, at most sweepLimit.
func (t *tree) emptied() bool {
	limit := time.NewTimer(sweepLimit)
	defer limit.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for t.active() > 0 {
		select {
		case <-look.C:
		case <-limit.C:
			return false
		}
	}
	return true
}

// active is the number of processes in the job.
func (t *tree) active() uint32 {
	const basicAccounting = 1
	var info struct {
		totalUser, totalKernel, periodUser, periodKernel int64
		faults, total, active, terminated                uint32
	}
	if err := windows.QueryInformationJobObject(t.job, basicAccounting, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil); err != nil {
		return 0
	}
	return info.active
}

// exit is the leader's code, or -1 when it was terminated. The system has no signals.
func (t *tree) exit() (code int, signal string) {
	if t.killed {
		return -1, ""
	}
	return int(t.code), ""
}

// holdsPipe says whether a process that the leader left behind is there: only those can hold a pipe.
func (t *tree) holdsPipe(*streams) bool { return t.active() > 0 }

// held is not needed: a read has no deadline here, it ends with the last process of the job.
func held(*os.File) bool { return false }

// widen does nothing: a pipe has one size.
func widen(*os.File) {}

// runnable is every regular file: its extension decides.
func runnable(_ string, info fs.FileInfo) bool { return info.Mode().IsRegular() }

// executeHint says how a file becomes executable.
func executeHint(string) string { return "name a program whose extension is in PATHEXT" }

// extensions are those of PATHEXT in the environment of the child, or the usual ones.
func extensions(lookup func(string) (string, bool)) []string {
	var out []string
	value, _ := lookup("PATHEXT")
	for _, ext := range strings.Split(value, ";") {
		if ext = strings.TrimSpace(ext); ext != "" && ext != "." {
			out = append(out, "."+strings.TrimPrefix(ext, "."))
		}
	}
	if len(out) == 0 {
		return []string{".COM", ".EXE", ".BAT", ".CMD"}
	}
	return out
}

// isBatch says whether a file is run by the command interpreter, which reads its arguments again.
func isBatch(path string) bool {
	ext := strings.TrimRight(filepath.Ext(path), " .")
	return strings.EqualFold(ext, ".bat") || strings.EqualFold(ext, ".cmd")
}
