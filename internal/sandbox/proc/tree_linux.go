package proc

import (
	"errors"
	"math"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// groupAttr makes the child the leader of a new group that dies with the thread that started it.
func groupAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// keepPrivate marks every descriptor but the standard ones close-on-exec, also those that runx
// itself inherited. Where the system has no call for it, the descriptors are marked one by one.
func keepPrivate() {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	markPrivate("/proc/self/fd")
}

// widen asks for a larger pipe; the system may refuse, then it stays as it is.
func widen(f *os.File) {
	conn, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
}

// waitExited blocks until a child ended and leaves it a zombie.
func waitExited(pid int) {
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
}

// childless says that this process has no child at all, and with it no descendant.
func childless() bool {
	return errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
}

// empty says whether nobody is left in the group of a leader that ended. It reaps what is dead, for a
// zombie is a member.
func (t *tree) empty() bool {
	if !t.reaped {
		t.reap()
	}
	reapGroup(t.pid)
	return t.reaped && t.groupGone()
}

// swept is the outcome of a sweep.
type swept struct {
	escaped int  // processes that were ended outside the group
	left    bool // something did not die within sweepLimit
	blind   bool // the process table cannot be read
}

// sweep ends what is left of the tree: its group, and on Linux the descendants that left it and
// were adopted by this process. Afterwards the leader is reaped and the tree is forgotten. It also
// ends adopted processes that name no running tree, when no other tree is running.
func (t *tree) sweep() swept {
	h := newHunt(t)
	h.run(false)
	strangersEnd(h, t.pid)
	return h.swept
}

// hunt is the state of one sweep.
type hunt struct {
	tree    *tree
	mark    string       // "" when the tree has none
	leaders map[int]bool // set while the registry is held
	before  map[int]uint64
	doomed  map[int]uint64 // start time by pid: seen below this tree
	counted map[int]uint64 // start time by pid: ended outside the group
	dead    map[int]uint64 // start time by pid: dead children that this tree does not own
	limit   time.Time
	swept
}

func newHunt(t *tree) *hunt {
	h := &hunt{tree: t, doomed: map[int]uint64{}, counted: map[int]uint64{},
		dead: map[int]uint64{}, limit: time.Now().Add(sweepLimit)}
	if t.mark != "" {
		h.mark = "RUNX_INPUTS_PATH=" + t.mark
	}
	return h
}

// run makes passes until one finds nothing. Everything is stopped before it is killed, so that a
// tree that forks all the time holds still while its members are looked up.
func (h *hunt) run(strangers bool) {
	for passes, pause := 1, sweepPause; ; passes, pause = passes+1, min(2*pause, sweepPauseMax) {
		h.stopGroup()
		if h.finished() {
			return
		}
		if passes > 1 {
			h.chase(strangers)
		}
		clean := h.pass(strangers)
		if clean && h.tree.reaped && h.tree.groupGone() {
			return
		}
		if passes >= sweepPasses && time.Now().After(h.limit) {
			h.left = true
			return
		}
		if !h.tree.reaped {
			h.tree.leaderGone(pause)
			continue
		}
		time.Sleep(pause)
	}
}

// stopGroup and killGroup signal the group while it exists. A leader may have moved to another
// group; it is not reaped, so its pid is still its own.
func (h *hunt) stopGroup() { h.signalGroup(syscall.SIGSTOP) }

func (h *hunt) killGroup() { h.signalGroup(syscall.SIGKILL) }

func (h *hunt) signalGroup(sig syscall.Signal) {
	if h.tree.reaped && h.tree.groupGone() {
		return
	}
	_ = syscall.Kill(-h.tree.pid, sig)
	if !h.tree.reaped {
		_ = syscall.Kill(h.tree.pid, sig)
	}
}

// finished reaps the leader once it ended, and says whether that was all there was.
func (h *hunt) finished() bool {
	if !h.tree.reaped && h.tree.leaderGone(0) {
		h.tree.reap()
	}
	if h.tree.reaped && h.tree.pid > 0 {
		reapGroup(h.tree.pid)
	}
	return h.tree.reaped && childless()
}

// pass kills the group and every adopted process of the tree once, and reaps those that are dead.
// It is clean when it found none, none whose owner is not known yet, and no dead child: that one may
// have left a process younger than the list of this pass.
func (h *hunt) pass(strangers bool) (clean bool) {
	leaders := h.running()
	var dead []process
	clean = true
	table, ok := readTable(func(p process) bool {
		if p.parent != os.Getpid() || leaders[p.pid] {
			return false
		}
		owned, known := h.owns(p, strangers)
		switch {
		case owned:
			_ = syscall.Kill(p.pid, syscall.SIGSTOP)
		case p.zombie:
			dead = append(dead, p)
		default:
			clean = clean && known
		}
		return owned
	})
	h.blind = h.blind || !ok
	if h.tree.pid > 0 {
		table.below(h.doomed, h.tree.pid)
	}
	for _, p := range table.picked {
		h.doomed[p.pid] = p.start
		table.below(h.doomed, p.pid)
	}
	h.killGroup()
	for _, p := range table.picked {
		h.end(p)
	}
	fresh := h.bury(dead, strangers)
	return clean && !fresh && len(table.picked) == 0
}

// running returns the leaders of all trees. While the last tree is forgotten they cannot change.
func (h *hunt) running() map[int]bool {
	if h.leaders != nil {
		return h.leaders
	}
	return enrolled()
}

// bury reaps dead children that were adopted, whoever they belonged to, so that a tree that forks
// all the time cannot fill the process table. It says whether any of them is new to this sweep.
func (h *hunt) bury(dead []process, strangers bool) (fresh bool) {
	for _, p := range dead {
		start, seen := h.dead[p.pid]
		fresh = fresh || !seen || start != p.start
		h.dead[p.pid] = p.start
		// With strangers, owns has taken all that were adopted.
		if !strangers {
			unlessLeader(p, func() { _, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil) })
		}
	}
	return fresh
}

// chase stops the youngest processes of the tree as long as new ones appear. The process table is
// too long to be read while a link of a chain lives; the system's last pid leads to it at once.
func (h *hunt) chase(strangers bool) {
	leaders := h.running()
	for range chaseRounds {
		last, ok := lastPid()
		if !ok {
			return
		}
		found := false
		for pid := last; pid > max(1, last-chaseWidth); pid-- {
			p, ok := readProcess(pid)
			if !ok || p.zombie || p.stopped || leaders[pid] {
				continue
			}
			owned := false
			if p.parent == os.Getpid() {
				owned, _ = h.owns(p, strangers)
			} else if h.mark != "" {
				owned, _ = hasEntry(pid, h.mark)
			}
			if owned {
				_ = syscall.Kill(pid, syscall.SIGSTOP)
				found = true
			}
		}
		if now, _ := lastPid(); !found && now == last {
			return
		}
	}
}

// owns says whether an adopted process is to be ended: by its group, by an ancestor that was seen
// below the tree, by the mark in its environment, or as a stranger that names no running tree: see
// registry for why that is no child of other code. The group of a stranger says nothing, because a
// descendant may join ours.
func (h *hunt) owns(p process, strangers bool) (owned, known bool) {
	if h.tree.pid > 0 && p.group == h.tree.pid {
		return true, true
	}
	if start, seen := h.doomed[p.pid]; seen && start == p.start {
		return true, true
	}
	known = true
	if h.mark != "" {
		if owned, known = hasEntry(p.pid, h.mark); owned {
			return true, true
		}
	}
	if !strangers {
		return false, known
	}
	start, seen := h.before[p.pid]
	return !seen || start != p.start, true
}

// end kills one adopted process and reaps it when it is dead.
func (h *hunt) end(p process) {
	if syscall.Kill(p.pid, syscall.SIGKILL) == nil && !p.zombie && p.group != h.tree.pid {
		if start, seen := h.counted[p.pid]; !seen || start != p.start {
			h.counted[p.pid] = p.start
			h.escaped++
		}
	}
	_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
}

// reapGroup reaps the dead members of a group whose leader has been reaped.
func reapGroup(pid int) {
	for {
		got, err := syscall.Wait4(-pid, nil, syscall.WNOHANG, nil)
		if got <= 0 && !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}
