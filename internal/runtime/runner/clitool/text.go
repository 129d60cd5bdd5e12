package clitool

import "unicode/utf8"

// lastRunes returns at most limit bytes of the end of a text, beginning at a character.
func lastRunes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}
