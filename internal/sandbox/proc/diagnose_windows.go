package proc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// precheck refuses what the command interpreter would change.
func precheck(path string, args []string) *StartError {
	if isBatch(path) {
		return checkBatch(path, args)
	}
	return nil
}

// diagnose explains why the system refused to start a file that is there.
func diagnose(cmd Command, path string, err error) *StartError {
	if failed := checkDir(cmd.Dir); failed != nil {
		return failed
	}
	switch {
	case errors.Is(err, windows.ERROR_DIRECTORY):
		return badDir(cmd.Dir, systemWords(err))
	case errors.Is(err, windows.ERROR_BAD_EXE_FORMAT), errors.Is(err, windows.ERROR_EXE_MACHINE_TYPE_MISMATCH):
		return &StartError{Code: "spawn_not_executable", File: path,
			Msg:  fmt.Sprintf("cannot start %q: it is no program for this system or processor (wrong architecture)", path),
			Hint: "use a program that was built for this system; name an interpreter to run a script"}
	case errors.Is(err, windows.ERROR_ACCESS_DENIED):
		return &StartError{Code: "spawn_not_executable", File: path,
			Msg:  fmt.Sprintf("cannot start %q: no permission to execute it", path),
			Hint: "check the permissions of the file"}
	case errors.Is(err, windows.ERROR_FILE_NOT_FOUND), errors.Is(err, windows.ERROR_PATH_NOT_FOUND):
		return notFound(path, "no such file", "check the path")
	}
	return startFailed(path, err)
}
