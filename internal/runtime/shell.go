package runtime

import "strings"

// ShellQuote writes a word so that a POSIX shell reads it back as one word: as it is when every
// character is harmless, else in single quotes.
func ShellQuote(word string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+"
	if word != "" && strings.Trim(word, harmless) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
