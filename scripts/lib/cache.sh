# What this machine has compiled or installed before, outside the checkout, so that a new checkout need not do it again. A folder
# of the cache is written once, under another name, and then renamed, so that two runs at once never see half of one. Everything
# works without the cache. Sourced from the root of the checkout.

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/thunse
# Of each kind, so that a changed lock file does not fill the disk.
MOST_CACHES=3

# What is only read can be the same file in many checkouts; on another file system it is copied.
link_or_copy() { cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2"; cp -a "$1" "$2"; }; }

# move_into_cache FOLDER NAME: where another run was faster, its folder stays.
move_into_cache() { mv -T "$1" "$2" 2>/dev/null || rm -rf "$1"; }

# shellcheck disable=SC2012 # names that this file gives
drop_old_caches() { ls -1dt "$(dirname "$1")/$2"-* | tail -n +$((MOST_CACHES + 1)) | xargs -r rm -rf; }

# hash_of WORD…: of the words and of standard input
hash_of() { { echo "$*"; cat; } | sha256sum | cut -c1-16; }

# from_cache KIND HASH FOLDER: fails if the cache has none.
from_cache() {
  [ -d "$CACHE/$1-$2" ] && rm -rf "$3" && mkdir -p "$(dirname "$3")" && link_or_copy "$CACHE/$1-$2" "$3" && touch "$CACHE/$1-$2"
}

# into_cache KIND HASH FOLDER
into_cache() {
  local fresh
  mkdir -p "$CACHE" && fresh=$(mktemp -d "$CACHE/saving.XXXXXX") || return 0
  rmdir "$fresh"
  link_or_copy "$3" "$fresh"
  move_into_cache "$fresh" "$CACHE/$1-$2"
  drop_old_caches "$CACHE/$1-$2" "$1"
}
