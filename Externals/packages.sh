# shellcheck shell=sh
# For the setups of the externals: installs packages of Debian or Ubuntu.

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    fail "not root and no sudo here. Run this setup as root"
  fi
}

# install_packages NAME…
install_packages() {
  command -v apt-get >/dev/null 2>&1 || fail "missing: $*, and there is no apt-get here"
  as_root apt-get update -q >&2 || printf 'setup: apt-get update failed; continuing with the existing lists\n' >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 \
    install -y -q --no-install-recommends "$@" >&2 || fail "apt-get could not install: $*"
}
