package proc

import (
	"fmt"
	"strings"
)

// batchUnsafe are the characters that the Windows command interpreter reads again when it starts a
// batch file (skills 3.5).
const batchUnsafe = "\"%!^&|<>\r\n"

// checkBatch refuses arguments that a batch file would not receive as they are.
func checkBatch(path string, args []string) *StartError {
	for i, arg := range args {
		if at := strings.IndexAny(arg, batchUnsafe); at >= 0 {
			return &StartError{Code: "spawn_batch", File: path,
				Msg: fmt.Sprintf("cannot start %q: argument %d has %q, which the command interpreter would change for a batch file",
					path, i+1, arg[at:at+1]),
				Hint: "start the program behind the batch file directly, or pass the value by file"}
		}
	}
	return nil
}
