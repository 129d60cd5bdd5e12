// Package fsroot reads and writes files without leaving a directory, over os.Root. A path is a
// RelPath, so joining two absolute paths does not compile; a link that points outside fails at the
// system call, whoever changes it in the meantime.
//
// Everything it makes is private (files 0600, directories 0700) and has a name that every platform
// can store. A file is there whole or not at all: it is written beside its target, synced and
// renamed. It refuses names that are not portable, reads over their ceiling, files that are no
// regular files, and private directories that others can write.
//
// Every package may import it that layers.txt lists; it imports none of ours.
package fsroot
