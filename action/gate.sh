#!/usr/bin/env bash
# Verifies the gate's signed statement for COMMIT, and sets a status from it: pending at once, success only at the
# very end. A run that is skipped, cancelled or cut off therefore never leaves a success behind.
set -euo pipefail

said="no signed statement of an open gate"

status() { # state, description
  python3 - "$1" "${2:0:140}" <<'PYTHON' | curl --fail --silent --show-error --output /dev/null \
    --request POST --header "Authorization: Bearer $TOKEN" --header "Accept: application/vnd.github+json" \
    --data @- "$API/repos/$REPOSITORY/statuses/$COMMIT"
import json, os, sys
print(json.dumps({"state": sys.argv[1], "description": sys.argv[2], "context": os.environ["CONTEXT"],
                  "target_url": os.environ.get("DETAILS", "")}))
PYTHON
}

ended() {
  code=$?
  rm -rf "$work"
  if [ "$code" -ne 0 ]; then
    status failure "$said" || true
    echo "::error::Blueline gate: $said"
  fi
  exit "$code"
}

# Whoever sends a pull request from a fork can push their statement only there. It is worth what its signatures are
# worth; nothing of it is checked out. The credentials of the base are not shown to the fork.
fetch_from_fork() {
  [ -n "${FORK:-}" ] || return 1
  git -c credential.helper= -c "http.extraHeader=" fetch --quiet --no-tags -- "$FORK" "$1"
}

work=$(mktemp -d)
trap ended EXIT

case "$COMMIT" in
  *[!0-9a-f]* | "") said="the commit must be named by its digits"; exit 10 ;;
esac
said="the token may not set a status (a pull request from a fork: use pull_request_target, see docs/gate.md)"
status pending "verifying"

# Of the base, never of the commit: it could bring signers of its own, and loops that ask for nothing.
said="there is no branch $BASE"
git fetch --quiet --no-tags --depth=1 origin "refs/heads/$BASE"
base=$(git rev-parse --verify FETCH_HEAD)
if [ -n "$SIGNERS" ]; then
  printf '%s\n' "$SIGNERS" > "$work/signers"
else
  said="there is no $SIGNERS_FILE on $BASE"
  git show "$base:$SIGNERS_FILE" > "$work/signers"
fi

said="no signed statement of an open gate"
git cat-file -e "$COMMIT^{commit}" 2>/dev/null || git fetch --quiet --no-tags origin "$COMMIT" \
  || fetch_from_fork "$COMMIT"
# What is on the base already is judged by what stood there before it.
[ "$base" != "$COMMIT" ] || git fetch --quiet --no-tags --depth=2 origin "$COMMIT"
tree=$(git rev-parse --verify "$COMMIT^{tree}")
statement="+refs/blueline/gate/$tree:refs/blueline/gate/$tree"
git fetch --quiet --no-tags origin "$statement" 2>/dev/null || fetch_from_fork "$statement"
if ! blueline gate verify "$COMMIT" --key "$work/signers" --people "$PEOPLE" --base "$base" > "$work/said" 2>&1; then
  cat "$work/said"
  said=$(head -n 1 "$work/said")
  exit 10
fi
cat "$work/said"
status success "$(head -n 2 "$work/said" | tail -n 1 | tr -s ' ')"
