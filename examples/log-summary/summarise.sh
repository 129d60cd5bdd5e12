# Summarises the input "log"; the first argument is how many repeated messages to list.
set -eu
LC_ALL=C awk '
{
  sub(/\r$/, "")
  lines++
  level = "other"
  if (match($0, /(^|[^A-Za-z])(ERROR|FATAL|CRITICAL)([^A-Za-z]|$)/)) level = "error"
  else if (match($0, /(^|[^A-Za-z])WARN(ING)?([^A-Za-z]|$)/)) level = "warn"
  else if (match($0, /(^|[^A-Za-z])INFO([^A-Za-z]|$)/)) level = "info"
  else if (match($0, /(^|[^A-Za-z])(DEBUG|TRACE)([^A-Za-z]|$)/)) level = "debug"
  print "L\t" level
  message = $0
  gsub(/0x[0-9a-fA-F]+/, "#", message)
  gsub(/[0-9]+/, "#", message)
  gsub(/\t/, " ", message)
  if (message != "") print "M\t" message
}
END { print "N\t" lines + 0 }
' "$RUNX_INPUT_LOG_PATH" | LC_ALL=C sort | LC_ALL=C uniq -c | LC_ALL=C sort -k1,1nr -k2 | LC_ALL=C awk -v top="$1" '
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
{
  count = $1
  sub(/^ *[0-9]+ /, "")
  kind = substr($0, 1, 1)
  text = substr($0, 3)
  if (kind == "N") lines = text
  else if (kind == "L") levels = levels (levels == "" ? "" : ", ") quote(text) ": " count
  else if (listed < top) {
    listed++
    repeated = repeated (repeated == "" ? "" : ", ") "{\"count\": " count ", \"message\": " quote(text) "}"
  }
}
END { printf "{\"lines\": %s, \"levels\": {%s}, \"repeated\": [%s]}\n", lines, levels, repeated }
'
