// Package codec reads YAML and JSON strictly and writes JSON canonically. Every fault of a text is
// a SyntaxError with file, line, column and byte offset. It exists because runx promises that the
// digits, the key order and the escapes of a caller survive: values travel as raw text, and nothing
// here passes through float64 or map[string]any on the way.
//
// It refuses what makes a text ambiguous or expensive: duplicate keys, anchors, aliases, tags,
// merge keys, second documents, trailing data, lone surrogates, unbounded nesting. It reads no
// file. Every room may import it.
package codec
