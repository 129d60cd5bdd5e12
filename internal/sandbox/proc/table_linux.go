package proc

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// process is one row of the process table.
type process struct {
	pid, parent, group int
	start              uint64 // clock ticks since boot: with the pid it names one process
	zombie, stopped    bool
}

// table is one reading of /proc. It is not a snapshot: processes come and go while it is read.
type table struct {
	children map[int][]process // by parent
	picked   []process
}

// readTable reads all processes, the newest first, and calls pick on each at once: a process that
// is about to fork and end is met as early as possible. ok is false when /proc cannot be read.
func readTable(pick func(process) bool) (t table, ok bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return table{}, false
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return table{}, false
	}
	t.children = make(map[int][]process)
	seen := false
	for _, name := range slices.Backward(names) {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p, ok := readProcess(pid)
		if !ok {
			continue
		}
		seen = true
		t.children[p.parent] = append(t.children[p.parent], p)
		if pick(p) {
			t.picked = append(t.picked, p)
		}
	}
	return t, seen
}

// readProcess reads one row; ok is false when the process is gone.
func readProcess(pid int) (p process, ok bool) {
	var buf [512]byte
	n, err := readFile("/proc/"+strconv.Itoa(pid)+"/stat", buf[:])
	if err != nil {
		return process{}, false
	}
	p, ok = parseStat(buf[:n])
	return p, ok && p.pid == pid
}

// lastPid is the pid that the system gave away last: the last field of /proc/loadavg.
func lastPid() (int, bool) {
	var buf [128]byte
	n, err := readFile("/proc/loadavg", buf[:])
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(buf[:n])
	if len(fields) == 0 {
		return 0, false
	}
	pid, err := strconv.Atoi(string(fields[len(fields)-1]))
	return pid, err == nil
}

// below adds all descendants of pid to into.
func (t table) below(into map[int]uint64, pid int) {
	for _, p := range t.children[pid] {
		if start, seen := into[p.pid]; seen && start == p.start {
			continue
		}
		into[p.pid] = p.start
		t.below(into, p.pid)
	}
}

// parseStat reads a line of /proc/PID/stat. The second field is a name in parentheses that may hold
// blanks and parentheses itself, so the rest begins after the last one.
func parseStat(line []byte) (p process, ok bool) {
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 1 || end < open {
		return process{}, false
	}
	fields := bytes.Fields(line[end+1:])
	const state, parent, group, start = 0, 1, 2, 19
	if len(fields) <= start {
		return process{}, false
	}
	var errs [4]error
	p.pid, errs[0] = strconv.Atoi(string(bytes.TrimSpace(line[:open])))
	p.parent, errs[1] = strconv.Atoi(string(fields[parent]))
	p.group, errs[2] = strconv.Atoi(string(fields[group]))
	p.start, errs[3] = strconv.ParseUint(string(fields[start]), 10, 64)
	for _, err := range errs {
		if err != nil {
			return process{}, false
		}
	}
	p.zombie = fields[state][0] == 'Z' || fields[state][0] == 'X'
	p.stopped = fields[state][0] == 'T'
	return p, true
}

// hasEntry says whether an entry stands in the environment that a process was started with. It is
// not known for an instant, while the process is becoming another program: then the system shows
// neither environment nor arguments. A process whose environment we may not read has no entry.
func hasEntry(pid int, entry string) (has, known bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	for range 2 {
		f, err := os.Open(dir + "/environ")
		if err != nil {
			return false, true
		}
		has, empty := containsEntry(f, entry)
		_ = f.Close()
		if has || !empty {
			return has, true
		}
		var first [1]byte
		if n, err := readFile(dir+"/cmdline", first[:]); n == 0 && err == nil {
			return false, false
		}
	}
	return false, true
}

// containsEntry reads NUL-terminated texts and says whether one of them is entry, and whether there
// was nothing to read.
func containsEntry(r io.Reader, entry string) (has, empty bool) {
	empty = true
	buf := make([]byte, 16<<10)
	matched, same := 0, true
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			switch {
			case b == 0:
				if same && matched == len(entry) {
					return true, false
				}
				matched, same = 0, true
			case same && matched < len(entry) && b == entry[matched]:
				matched++
			default:
				same = false
			}
		}
		empty = empty && n == 0
		if err != nil || n == 0 {
			return same && matched == len(entry) && matched > 0, empty
		}
	}
}

// readFile fills buf with the beginning of a file.
func readFile(path string, buf []byte) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Read(fd, buf)
}
