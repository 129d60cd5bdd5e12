# Checks the input "csv": argument 1 has the columns that must be filled, argument 2 the separator.
set -eu
LC_ALL=C REQUIRED=$1 SEPARATOR=$2 awk '
function quote(s,   i, c, out) {
  out = ""
  for (i = 1; i <= length(s); i++) {
    c = substr(s, i, 1)
    if (c == "\\" || c == "\"") out = out "\\" c
    else if (c < " ") out = out "?"
    else out = out c
  }
  return "\"" out "\""
}
function problem(line, text) {
  problems = problems (problems == "" ? "" : ", ") "{\"line\": " line ", \"message\": " quote(text) "}"
}
# split_row fills field[1..n]; it returns -1 when a quote does not close.
function split_row(text,   i, c, n, open) {
  n = 1; field[1] = ""; open = 0
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (open && c == "\"" && substr(text, i + 1, 1) == "\"") { field[n] = field[n] c; i++ }
    else if (c == "\"") open = !open
    else if (c == sep && !open) field[++n] = ""
    else field[n] = field[n] c
  }
  return open ? -1 : n
}
BEGIN { sep = ENVIRON["SEPARATOR"]; wanted = split(ENVIRON["REQUIRED"], want, ","); if (ENVIRON["REQUIRED"] == "") wanted = 0 }
{
  sub(/\r$/, "")
  if (NR == 1) sub(/^\357\273\277/, "")
  n = split_row($0)
  if (NR == 1) {
    columns = n < 0 ? 0 : n
    for (i = 1; i <= columns; i++) at[field[i]] = i
    for (i = 1; i <= wanted; i++) if (!(want[i] in at)) problem(1, "column " want[i] " is missing")
    if (n < 0) problem(1, "a quote does not close")
    next
  }
  if ($0 == "") next
  rows++
  if (n < 0) { problem(NR, "a quote does not close"); next }
  if (n != columns) { problem(NR, n " fields instead of " columns); next }
  for (i = 1; i <= wanted; i++)
    if ((want[i] in at) && field[at[want[i]]] == "") problem(NR, "column " want[i] " is empty")
}
END { printf "{\"rows\": %d, \"columns\": %d, \"problems\": [%s]}\n", rows, columns, problems }
' "$RUNX_INPUT_CSV_PATH"
