// Package receipt makes, keeps and judges the evidence of a run: a DSSE envelope around an in-toto
// statement whose predicate commits to the digests of package, inputs, command, streams and result.
// A receipt holds names, digests, counts and fixed texts, never a value, a text of an author or a
// path. Its file has exactly one form, so that every changed byte is seen; what is not that form is
// refused before a signature is looked at. The package signs with the key that it is given or with
// a local key in the user's configuration, and prints neither. runtime/engine and cli use it.
package receipt
