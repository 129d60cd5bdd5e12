#!/bin/sh
# Drafts a changelog of the commits in FROM..TO under TITLE.
set -eu
from=$1 to=$2 title=$3
case "$from$to" in
  -* | *..*) echo "changelog: a commit or tag was expected, not a range or an option" >&2; exit 2 ;;
esac
if [ -z "$from" ]; then
  from=$(git describe --tags --abbrev=0 "$to" 2>/dev/null || true)
fi
range=$to
if [ -n "$from" ]; then
  range=$from..$to
fi
git log --no-merges --format=%s "$range" -- | LC_ALL=C awk -v title="$title" '
function add(kind, text) { list[kind] = list[kind] "- " text "\n" }
{
  kind = "Changed"
  if (match($0, /^[a-z]+(\([^)]*\))?!?: /)) {
    word = substr($0, 1, RLENGTH)
    sub(/[(!:].*/, "", word)
    $0 = substr($0, RLENGTH + 1)
    if (word == "feat") kind = "Added"
    else if (word == "fix") kind = "Fixed"
    else if (word == "docs") kind = "Documentation"
  }
  add(kind, $0)
}
END {
  printf "## %s\n", title
  n = split("Added,Changed,Fixed,Documentation", order, ",")
  for (i = 1; i <= n; i++)
    if (list[order[i]] != "") printf "\n### %s\n\n%s", order[i], list[order[i]]
  if (NR == 0) print "\nNo changes."
}
'
