package codec

// plainEnd is the offset behind a plain scalar that begins at start and has the value given. Line
// breaks and blanks of the text may be folded in the value.
func plainEnd(text []byte, start int, value string) int {
	at := start
	for i := 0; i < len(value); {
		if value[i] == ' ' || value[i] == '\t' || value[i] == '\n' {
			for i < len(value) && isBlank(value[i]) {
				i++
			}
			for at < len(text) && isBlank(text[at]) {
				at++
			}
			continue
		}
		if at >= len(text) || text[at] != value[i] {
			return at
		}
		i++
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// refuseFlowKeys looks for explicit keys in the flow collection that begins at start. The library
// takes a ? in a flow collection for an explicit key wherever a token may begin. Collections inside
// one that was scanned are not scanned again, so the work is proportional to the text.
func (y *yamlReader) refuseFlowKeys(start int) {
	if start < y.flowEnd || start >= len(y.text) || y.text[start] != '[' && y.text[start] != '{' {
		return
	}
	at, depth := start, 0
	for at < len(y.text) {
		switch c := y.text[at]; {
		case c == '[' || c == '{':
			depth++
			at++
		case c == ']' || c == '}':
			depth--
			at++
			if depth == 0 {
				y.flowEnd = at
				return
			}
		case c == '"' || c == '\'':
			at = quotedEnd(y.text, at)
		case c == '#':
			at = lineEnd(y.text, at)
		case c == '?':
			y.lost = true
			y.fault("yaml_feature", at, "an explicit key (? ) is not allowed", "write key: value, or quote a value that begins with ?")
			at++
		case c == ',' || c == ':' || isBlank(c):
			at++
		default:
			at = flowPlainEnd(y.text, at)
		}
	}
	y.flowEnd = at
}

// quotedEnd is the offset behind the quoted scalar that begins at start.
func quotedEnd(text []byte, start int) int {
	quote := text[start]
	for at := start + 1; at < len(text); at++ {
		switch {
		case text[at] == '\\' && quote == '"':
			at++
		case text[at] == quote && quote == '\'' && at+1 < len(text) && text[at+1] == quote:
			at++
		case text[at] == quote:
			return at + 1
		}
	}
	return len(text)
}

// flowPlainEnd is the offset behind the plain scalar of a flow collection that begins at start,
// or where a comment, a colon or an indicator ends it.
func flowPlainEnd(text []byte, start int) int {
	for at := start; at < len(text); at++ {
		switch c := text[at]; c {
		case ',', '[', ']', '{', '}', '?':
			return max(at, start+1)
		case ':':
			if at > start && (at+1 >= len(text) || isBlank(text[at+1])) {
				return at
			}
		case '#':
			if at > start && isBlank(text[at-1]) {
				return at
			}
		}
	}
	return len(text)
}

func lineEnd(text []byte, at int) int {
	for at < len(text) && text[at] != '\n' {
		at++
	}
	return at
}
