// Program noop does nothing.
package main

func main() {}
