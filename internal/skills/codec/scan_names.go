package codec

import (
	"bytes"
	"hash/maphash"
)

// nameRef is a decoded member name and the offset of its text.
type nameRef struct {
	name []byte
	at   int
}

// nameSet finds duplicates among the names of one object, which stand in scanner.names from base
// on. Few names are compared one by one; many go into an open hash table with a random seed.
type nameSet struct {
	base  int
	seed  maphash.Seed
	table []int32 // index from base, plus 1; 0 is free; the length is a power of two
}

// add adds a name; when the object has it already, it returns the offset of the first.
func (s *scanner) add(set *nameSet, name []byte, at int) (first int, twice bool) {
	names := s.names[set.base:]
	if set.table == nil && len(names) >= smallObject {
		set.seed = maphash.MakeSeed()
		set.grow(names)
	}
	if set.table == nil {
		for _, n := range names {
			if bytes.Equal(n.name, name) {
				return n.at, true
			}
		}
		s.names = append(s.names, nameRef{name, at})
		return 0, false
	}
	if len(names)*2 >= len(set.table) {
		set.grow(names)
	}
	slot := set.find(names, name)
	if i := set.table[slot]; i != 0 {
		return names[i-1].at, true
	}
	set.table[slot] = int32(len(names) + 1)
	s.names = append(s.names, nameRef{name, at})
	return 0, false
}

// grow makes a table four times as large as its names.
func (set *nameSet) grow(names []nameRef) {
	size := 4 * smallObject
	for size < 4*len(names) {
		size *= 2
	}
	set.table = make([]int32, size)
	for i, n := range names {
		set.table[set.find(names[:i], n.name)] = int32(i + 1)
	}
}

// find is the slot of a name, or the free one where it belongs.
func (set *nameSet) find(names []nameRef, name []byte) int {
	mask := len(set.table) - 1
	slot := int(maphash.Bytes(set.seed, name)) & mask
	for set.table[slot] != 0 && !bytes.Equal(names[set.table[slot]-1].name, name) {
		slot = (slot + 1) & mask
	}
	return slot
}
