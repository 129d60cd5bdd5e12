// Program hash prints the SHA-256 of the bytes that flood writes, without writing them.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
)

func main() {
	left, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	block := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16/16)
	sum := sha256.New()
	for left > 0 {
		n, _ := sum.Write(block[:min(left, len(block))])
		left -= n
	}
	os.Stdout.WriteString(hex.EncodeToString(sum.Sum(nil)) + "\n")
}
