package proc

import (
	"maps"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// registry knows the trees of this process. It is a package variable because what it describes
// exists once a process: who adopts orphans, and which children are leaders. Its zero value is ready.
//
// No other code of this process starts processes while a tree runs: a test of the architecture keeps
// that to this package. So a child that is neither a leader nor older than all trees was adopted,
// whatever it looks like.
type registry struct {
	mu sync.Mutex
	// running counts trees, including those that are about to start.
	running int
	// starting is how many of them have no leader yet.
	starting int
	leaders  map[int]bool
	// before are the children that this process had, by start time, when its first tree started.
	before map[int]uint64
	// adopts is why orphans do not become our children, nil when they do.
	adopts error
}

var trees registry //nolint:gochecknoglobals // see registry: the kernel keeps this state once a process

// enter announces a tree that is about to start. Before the first one this process becomes the one
// that adopts orphaned descendants; the error says why it cannot.
func enter() error {
	trees.mu.Lock()
	defer trees.mu.Unlock()
	if trees.running == 0 {
		trees.adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
		trees.leaders = map[int]bool{}
		trees.before = map[int]uint64{}
		if !childless() {
			readTable(func(p process) bool {
				if p.parent == os.Getpid() {
					trees.before[p.pid] = p.start
				}
				return false
			})
		}
	}
	trees.running++
	trees.starting++
	return trees.adopts
}

// enrol names the leader of a tree that was announced.
func enrol(pid int) {
	trees.mu.Lock()
	defer trees.mu.Unlock()
	trees.leaders[pid] = true
	trees.starting--
}

// enrolled returns the leaders of all trees.
func enrolled() map[int]bool {
	trees.mu.Lock()
	defer trees.mu.Unlock()
	return maps.Clone(trees.leaders)
}

// unlessLeader calls act when a child is sure to be none of our leaders and none that is older than
// all trees. While a tree starts, nothing is sure.
func unlessLeader(p process, act func()) {
	trees.mu.Lock()
	defer trees.mu.Unlock()
	if start, seen := trees.before[p.pid]; trees.starting > 0 || trees.leaders[p.pid] || seen && start == p.start {
		return
	}
	act()
}

// leave forgets a tree; pid is 0 when it never started. The last one calls alone first, while no
// other tree can start.
func leave(pid int, alone func(leaders map[int]bool, before map[int]uint64)) {
	trees.mu.Lock()
	defer trees.mu.Unlock()
	if trees.running == 1 {
		alone(trees.leaders, trees.before)
	}
	if pid == 0 {
		trees.starting--
	}
	delete(trees.leaders, pid)
	trees.running--
}

// forfeit is leave for a tree that was announced and did not start.
func forfeit() { strangersEnd(newHunt(&tree{reaped: true}), 0) }

// strangersEnd forgets a tree and, when it was the last one, ends what no tree claims.
func strangersEnd(h *hunt, pid int) {
	leave(pid, func(leaders map[int]bool, before map[int]uint64) {
		h.leaders, h.before = leaders, before
		if !childless() {
			h.run(true)
		}
	})
}
