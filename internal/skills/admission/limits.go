package admission

import "github.com/runx-go/runx/internal/skills/codec"

const (
	// packageFiles is how many files a package may have (skills 1.1).
	packageFiles int = 2000
	// packageBytes is the size of all files of a package together (skills 1.1).
	packageBytes int64 = 64 << 20
	// packageFolders is how many folders are read for one package, so that empty ones cannot keep
	// the walk busy.
	packageFolders int = 10_000
	// packageDepth is how deep folders of a package may be nested.
	packageDepth int = 128
	// digestBuffer is how many bytes of a file are held while it is digested.
	digestBuffer int64 = 64 << 10
	// textBytes is the size of SKILL.md and of X.yaml (skills 1.2 rule 7) and of one packet.
	textBytes = int64(codec.YAMLBytes)
	// searchDepth is how many directories below a search path a package is found (skills 1.7).
	searchDepth int = 6
	// searchFolders is how many directories one search reads at most.
	searchFolders int = 20_000
	// packetFiles is how many files of a workspace are read in search of packets.
	packetFiles int = 2000
	// nearestNames is how many names a reference that is not found lists (skills 1.7).
	nearestNames int = 3
	// searchNearest is how many faults of one package look for the nearest known name.
	searchNearest int = 50
)
