#!/bin/sh
# What shell scripts share: they run in the folder of the project, with a folder of their own that is removed at the end.
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# fail REASON [STATUS]
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2:-1}"
}
