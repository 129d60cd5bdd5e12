// Package schema compiles JSON Schemas and binds values to the declared inputs and outputs of a
// runner. Values are raw JSON text: no number is rounded, no member is moved, and an object that
// needs no default is handed on byte for byte.
//
// It refuses references that leave a schema, unknown inputs, and numbers whose exact value would be
// too expensive to compute. It reads no file and no network. Admission, tools and runners import it.
package schema
