package render

// Style colours text when the stream it goes to shows colours. The zero Style changes nothing. No
// meaning is by colour alone: every coloured word says it too.
type Style struct{ Colour bool }

func (s Style) wrap(code, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Good, Bad and Warn are for words of status; Bold and Faint for weight.
func (s Style) Good(text string) string { return s.wrap("32", text) }

// Bad marks an error or a failure.
func (s Style) Bad(text string) string { return s.wrap("31", text) }

// Warn marks a warning.
func (s Style) Warn(text string) string { return s.wrap("33", text) }

// Bold gives weight.
func (s Style) Bold(text string) string { return s.wrap("1", text) }
