# Compiled dependencies, cached outside the checkout, so that a clean checkout compiles only its own crates. Sourced from the root
# of the checkout.
. scripts/lib/cache.sh

# The server itself is never cached: cargo compares its sources by time, and a new checkout's are newer or older at random.
OWN_CRATES='thunse*'
# Our crates that hardly ever change and are slow to compile (the pixel work takes 100 s of processor time). They are cached
# under the hash of their sources, whose times are then set back, so that cargo takes them for unchanged, as they are
# (scripts/lib/compilers/clippy-driver).
SLOW_CRATES=(pixels pdf)
MOST_MEGABYTES=6000

# What all of them depend on. The lock file comes last in their names: after a change of it, the newest folder with another one is
# used, and cargo compiles what differs.
toolchain_key() { hash_of "${RUSTFLAGS:-}" < <(rustc -vV; sed -n '/^\[profile/,$p' Cargo.toml); }
lock_key() { hash_of <Cargo.lock; }

build_cache_folder() { echo "$CACHE/build-$(toolchain_key)-$(lock_key)"; }

# slow_crate_folder CRATE
slow_crate_folder() { echo "$CACHE/slow-$1-$(toolchain_key)-$(find "server/$1" -type f | sort | xargs sha256sum | hash_of)-$(lock_key)"; }

# closest_cache FOLDER: itself, or the newest that differs only in the lock file. What older lock files have left in it is never
# deleted, so one that has grown too large is not used again.
# shellcheck disable=SC2012 # names that this file gives
closest_cache() {
  local other
  [ ! -d "$1" ] || { echo "$1"; return; }
  other=$(ls -1dt "${1%-*}"-* 2>/dev/null | head -n 1) || true
  [ -z "$other" ] || [ "$(du -sm "$other" | cut -f1)" -gt $MOST_MEGABYTES ] || echo "$other"
}

slow_crates_restore() {
  local cached crate
  for crate in "${SLOW_CRATES[@]}"; do
    cached=$(closest_cache "$(slow_crate_folder "$crate")")
    [ -d "$cached" ] || continue
    # Another run may be deleting it; cargo compiles what is incomplete.
    cp -a "$cached/." target/debug/ || continue
    find "server/$crate" -exec touch -d '2020-01-01' {} +
    touch "$cached"
  done
}

slow_crates_save() {
  local cached fresh crate
  for crate in "${SLOW_CRATES[@]}"; do
    cached=$(slow_crate_folder "$crate")
    [ ! -d "$cached" ] || continue
    fresh=$(mktemp -d "$(dirname "$cached")/saving.XXXXXX")
    chmod 755 "$fresh"
    mkdir "$fresh/.fingerprint" "$fresh/deps"
    cp -a target/debug/.fingerprint/thunse-"$crate"-* "$fresh/.fingerprint/"
    cp -a target/debug/deps/*thunse_"$crate"-* "$fresh/deps/"
    move_into_cache "$fresh" "$cached"
    drop_old_caches "$cached" "slow-$crate"
  done
}

build_cache_restore() {
  local cached
  cached=$(closest_cache "$(build_cache_folder)")
  [ ! -e target/debug ] && [ -d "$cached" ] || return 0
  mkdir -p target
  touch "$cached"
  # What cargo notes about the compiled files is written to, so it is copied. Another run may be deleting the folder.
  if link_or_copy "$cached" target/debug && rm -rf target/debug/.fingerprint &&
    cp -a "$cached/.fingerprint" target/debug/.fingerprint; then
    slow_crates_restore
    echo "dependencies: from the cache"
  else
    rm -rf target/debug
  fi
}

build_cache_save() {
  local cached fresh
  cached=$(build_cache_folder)
  mkdir -p "$(dirname "$cached")"
  slow_crates_save
  [ ! -d "$cached" ] || return 0
  fresh=$(mktemp -d "$(dirname "$cached")/saving.XXXXXX")
  # A test runs the server as another user.
  chmod 755 "$fresh"
  for part in .fingerprint build deps; do cp -a "target/debug/$part" "$fresh/$part"; done
  # The test binary of server/tests/it is called `it`.
  find "$fresh" -mindepth 2 -maxdepth 2 \( -name "$OWN_CRATES" -o -name "lib$OWN_CRATES" -o -name 'it-*' \) -exec rm -rf {} +
  move_into_cache "$fresh" "$cached"
  drop_old_caches "$cached" build
  echo "dependencies: saved in the cache, $(du -sh "$cached" | cut -f1)"
}
