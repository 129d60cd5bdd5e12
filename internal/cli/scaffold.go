package cli

import "strings"

// scaffoldFile is one file of a new package.
type scaffoldFile struct{ name, text string }

// scaffold is a package that counts lines and words with what every machine of the system has: the
// POSIX shell, or PowerShell on Windows.
func scaffold(name, os string) []scaffoldFile {
	command, args, script, program := "sh", "[run.sh]", "run.sh", scaffoldShell
	if os == "windows" {
		command, args, script, program = "powershell", "[-NoProfile, -ExecutionPolicy, Bypass, -File, run.ps1]", "run.ps1", scaffoldPowerShell
	}
	fill := strings.NewReplacer("NAME", name, "COMMAND", command, "ARGS", args, "SCRIPT", script).Replace
	return []scaffoldFile{
		{"SKILL.md", fill(scaffoldManual)},
		{"X.yaml", fill(scaffoldProfile)},
		{script, program},
	}
}

const scaffoldManual = `---
name: NAME
description: Counts the lines and words of a text. Use it to see how long a text is.
---

# NAME

Give it a text; it answers with the number of lines and words.

    runx skill ./NAME -i text='one two three'

The program is SCRIPT. It reads its input from the file that RUNX_INPUT_TEXT_PATH
names and prints one JSON object. Change it, X.yaml and this manual to what your
skill does, then run: runx skill validate ./NAME
`

const scaffoldProfile = `skill: NAME
version: 0.1.0
runners:
  count:
    type: cli-tool
    default: true
    description: Counts lines and words.
    command: COMMAND
    args: ARGS
    timeout_seconds: 10
    inputs:
      text:
        type: string
        required: true
        description: The text to count.
    outputs:
      lines: integer
      words: integer
`

const scaffoldShell = `# Counts the lines and words of the input "text".
set -eu
lines=$(wc -l < "$RUNX_INPUT_TEXT_PATH" | tr -d ' ')
words=$(wc -w < "$RUNX_INPUT_TEXT_PATH" | tr -d ' ')
printf '{"lines": %s, "words": %s}\n' "$lines" "$words"
`

const scaffoldPowerShell = `# Counts the lines and words of the input "text".
$ErrorActionPreference = 'Stop'
$text = [IO.File]::ReadAllText($env:RUNX_INPUT_TEXT_PATH)
$lines = ($text.ToCharArray() | Where-Object { $_ -eq [char]10 } | Measure-Object).Count
$words = ($text -split '\s+' | Where-Object { $_ } | Measure-Object).Count
[Console]::Out.WriteLine('{"lines": ' + $lines + ', "words": ' + $words + '}')
`
