# Compiled dependencies, cached outside the checkout, so that a clean checkout compiles only its own crates. Sourced from the root
# of the checkout. A folder of the cache is written once, under another name, and then renamed, so that two runs at once never
# see half of one; without a cache, or with one that cannot be read, everything is compiled.

# Own crates are never cached: cargo compares their sources by time, and a new checkout's are newer or older at random.
OWN_CRATES='thunse*'
MOST_CACHES=3

build_cache_folder() {
  local key
  key=$({ rustc -vV; cat Cargo.lock; sed -n '/^\[profile/,$p' Cargo.toml; echo "${RUSTFLAGS:-}"; } | sha256sum | cut -c1-16)
  echo "${XDG_CACHE_HOME:-$HOME/.cache}/thunse/build-$key"
}

build_cache_restore() {
  local cached
  cached=$(build_cache_folder)
  [ ! -e target/debug ] && [ -d "$cached" ] || return 0
  mkdir -p target
  # What is compiled is only read, and can be the same file; what cargo notes about it is written to.
  if cp -al "$cached" target/debug 2>/dev/null || { rm -rf target/debug; cp -a "$cached" target/debug; }; then
    rm -rf target/debug/.fingerprint
    cp -a "$cached/.fingerprint" target/debug/.fingerprint
    touch "$cached"
    echo "dependencies: from the cache"
  else
    rm -rf target/debug
  fi
}

build_cache_save() {
  local cached fresh
  cached=$(build_cache_folder)
  [ ! -d "$cached" ] || return 0
  mkdir -p "$(dirname "$cached")"
  fresh=$(mktemp -d "$(dirname "$cached")/saving.XXXXXX")
  # A test runs the server as another user.
  chmod 755 "$fresh"
  for part in .fingerprint build deps; do cp -a "target/debug/$part" "$fresh/$part"; done
  # The test binary of server/tests/it is called `it`.
  find "$fresh" -mindepth 2 -maxdepth 2 \( -name "$OWN_CRATES" -o -name "lib$OWN_CRATES" -o -name 'it-*' \) -exec rm -rf {} +
  mv -T "$fresh" "$cached" 2>/dev/null || rm -rf "$fresh"
  # shellcheck disable=SC2012 # names that this file gives
  ls -1dt "$(dirname "$cached")"/build-* | tail -n +$((MOST_CACHES + 1)) | xargs -r rm -rf
  echo "dependencies: saved in the cache, $(du -sh "$cached" | cut -f1)"
}
