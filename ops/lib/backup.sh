# Shared by ops/backup and ops/restore: the connection, the picture store, the layout of BACKUP_DIR.
#
#   BACKUP_DIR/2026-11-15T193000Z/   one backup: database.dump, pictures.sha256, about, SHA256SUMS
#   BACKUP_DIR/pictures/             every picture that a backup refers to, once; names are derived from the content
#   BACKUP_DIR/pictures.sha256       their checksums, computed when they were copied
#   BACKUP_DIR/deleted-accounts      the ids of all people who have deleted their account

# Only the owner may read a backup: it contains names, addresses and phone numbers.
umask 077

# shellcheck disable=SC2154 # set by those who source this
say() { echo "$program: $*" >&2; }
die() { say "$*"; exit 1; }

# systemd passes secrets as files (LoadCredential=), not in the environment; the shop reads them the same way.
if [ -n "${CREDENTIALS_DIRECTORY:-}" ]; then
  for file in "$CREDENTIALS_DIRECTORY"/*; do
    name=$(basename "$file" | sed 's/^[a-z_]*//')
    if [[ $name =~ ^[A-Z][A-Z0-9_]*$ ]]; then printf -v "$name" %s "$(<"$file")"; fi
  done
fi

decoded() { printf '%b' "${1//%/\\x}"; }

# connect URL: passes its parts to libpq through the environment, which other users cannot read. A command line is visible
# to everyone on the machine, so the URL with its password is never on one.
connect() {
  local pattern='^postgres(ql)?://([^:@/]+)(:([^@/]*))?@(\[[0-9a-fA-F:]+\]|[^]:/?[]*)(:([0-9]+))?/([^?]+)(\?(.*))?$' pair
  [[ $1 =~ $pattern ]] || die "the database URL is invalid; expected postgres://user:password@host:port/name"
  export PGUSER PGPASSWORD PGHOST PGPORT PGDATABASE
  PGUSER=$(decoded "${BASH_REMATCH[2]}")
  PGPASSWORD=$(decoded "${BASH_REMATCH[4]}")
  PGHOST=${BASH_REMATCH[5]//[\[\]]/}
  PGPORT=${BASH_REMATCH[7]:-5432}
  PGDATABASE=$(decoded "${BASH_REMATCH[8]}")
  IFS='&' read -ra pairs <<<"${BASH_REMATCH[10]}"
  for pair in "${pairs[@]}"; do
    case $pair in
      sslmode=*) export PGSSLMODE=${pair#*=} ;;
      sslrootcert=*) PGSSLROOTCERT=$(decoded "${pair#*=}"); export PGSSLROOTCERT ;;
      host=*) PGHOST=$(decoded "${pair#*=}") ;;
      *) die "the database URL has an unknown parameter: ${pair%%=*}" ;;
    esac
  done
  export PGAPPNAME=thunse-$program PGCONNECT_TIMEOUT=10
}

ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "$@"; }

sorted() { LC_ALL=C sort -u; }
# without A B: the lines of A that are not in B; both sorted.
without() { LC_ALL=C comm -23 "$1" "$2"; }
# The names in a list of checksums.
named() { cut -c 67- "$@"; }

# The picture store, with the shop's own settings: a folder (MEDIA_DIR), or S3 through rclone.
if [ -n "${S3_BUCKET:-}" ]; then
  command -v rclone >/dev/null || die "copying pictures from S3 needs rclone, which is not installed (apt install rclone)"
  export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_SHOP_TYPE=s3 RCLONE_CONFIG_SHOP_PROVIDER=Other RCLONE_CONFIG_SHOP_NO_CHECK_BUCKET=true
  export RCLONE_CONFIG_SHOP_REGION=${S3_REGION:-us-east-1} RCLONE_CONFIG_SHOP_ENDPOINT=${S3_ENDPOINT:-}
  export RCLONE_CONFIG_SHOP_ACCESS_KEY_ID=$S3_ACCESS_KEY RCLONE_CONFIG_SHOP_SECRET_ACCESS_KEY=$S3_SECRET_KEY
  if [ -z "${S3_ENDPOINT:-}" ]; then export RCLONE_CONFIG_SHOP_PROVIDER=AWS; fi
  stored() { rclone lsf --recursive --files-only "shop:$S3_BUCKET"; }
  # fetch LIST FOLDER copies from the store, put LIST FOLDER into it.
  fetch() { rclone copy --files-from-raw "$1" --no-traverse "shop:$S3_BUCKET" "$2"; }
  put() { rclone copy --files-from-raw "$1" --no-traverse "$2" "shop:$S3_BUCKET"; }
else
  : "${MEDIA_DIR:?the folder of the pictures, or S3_BUCKET}"
  stored() { if [ -d "$MEDIA_DIR" ]; then (cd "$MEDIA_DIR" && find . -type f -printf '%P\n'); fi; }
  fetch() { (cd "$MEDIA_DIR" && xargs -r -d '\n' cp --parents --target-directory="$2") <"$1"; }
  # Pictures are public, unlike the rest of a backup.
  put() { (umask 022; mkdir -p "$MEDIA_DIR" && cd "$2" && xargs -r -d '\n' cp --parents --no-preserve=mode --remove-destination --target-directory="$MEDIA_DIR") <"$1"; }
fi
# A store may contain other files, such as a half-written one.
pictures_in_store() { stored | { grep -E '^[0-9a-z-]+/[0-9]+\.webp$' || true; } | sorted; }
