// Program flood writes as many bytes to its standard output as its argument says.
package main

import (
	"bytes"
	"os"
	"strconv"
)

func main() {
	left, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	block := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16/16)
	for left > 0 {
		n, err := os.Stdout.Write(block[:min(left, len(block))])
		if err != nil {
			os.Exit(1)
		}
		left -= n
	}
}
