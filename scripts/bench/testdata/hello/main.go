// Program hello prints one line: what a Go program costs at least.
package main

import "os"

func main() {
	os.Stdout.WriteString("hello\n")
}
