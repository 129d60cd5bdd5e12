// Package manifest decodes SKILL.md and X.yaml into the nouns of package skills, collecting every
// fault and warning with its place instead of stopping at the first.
//
// It refuses unknown keys, values of another type than their field, and fields that do not fit
// their lane. It reads no file, compiles no schema and decides nothing about a package: that is
// skills/admission, the only importer.
package manifest
