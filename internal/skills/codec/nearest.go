package codec

import (
	"slices"
	"strings"
)

// Nearest returns up to n known words nearest to word by edit distance (also ignoring case and
// - / _ / .), best first; none when nothing is near. Near is at most a third of the longer word,
// and at least one edit. Equal distances keep the order of known.
func Nearest(word string, known []string, n int) []string {
	type candidate struct {
		word     string
		distance int
	}
	w := fold(word)
	var near []candidate
	for _, k := range known {
		f := fold(k)
		bound := max(1, max(len(w), len(f))/3)
		if len(w) == 0 || len(f) == 0 || min(len(w), len(f)) == 1 && !slices.Equal(w, f) {
			continue
		}
		// Twice the distance of the folded words, and one more when they differ only in spelling.
		if d := distance(w, f, bound); d <= bound {
			score := 2 * d
			if word != k {
				score++
			}
			near = append(near, candidate{k, score})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range near {
		if len(out) < n && !slices.Contains(out, c.word) {
			out = append(out, c.word)
		}
	}
	return out
}

// fold is a word in lower case without separators, cut at maxWord characters.
func fold(word string) []rune {
	if len(word) > 4*maxWord {
		word = strings.ToValidUTF8(word[:4*maxWord], "")
	}
	out := []rune(strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.', ' ':
			return -1
		}
		return r
	}, strings.ToLower(word)))
	return out[:min(len(out), maxWord)]
}

// distance counts insertions, deletions, substitutions and swaps of neighbours that turn a into b
// (optimal string alignment); above bound it is bound+1.
func distance(a, b []rune, bound int) int {
	if d := len(a) - len(b); d > bound || -d > bound {
		return bound + 1
	}
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			current[j] = d
		}
		before, previous, current = previous, current, before
	}
	return min(previous[len(b)], bound+1)
}
