# What ops/backup and ops/restore share: the connection, the picture store, the layout of BACKUP_DIR. Sourced by both.
#
#   BACKUP_DIR/2026-11-15T193000Z/   one backup: database.dump, pictures.sha256, about, SHA256SUMS
#   BACKUP_DIR/pictures/             every picture that a kept backup names, once; their names are made of their content
#   BACKUP_DIR/pictures.sha256       their sums, taken when they were copied

# Nobody but the owner reads a backup: it holds names, addresses and phone numbers.
umask 077

say() { echo "$program: $*" >&2; }
die() { say "$*"; exit 1; }

# Secrets come from systemd as files (LoadCredential=), which stand in no environment; the shop itself reads them the same way.
if [ -n "${CREDENTIALS_DIRECTORY:-}" ]; then
  for file in "$CREDENTIALS_DIRECTORY"/*; do
    name=$(basename "$file" | sed 's/^[a-z_]*//')
    if [[ $name =~ ^[A-Z][A-Z0-9_]*$ ]]; then printf -v "$name" %s "$(<"$file")"; fi
  done
fi

decoded() { printf '%b' "${1//%/\\x}"; }

# connect URL: puts the parts where libpq finds them. The environment of a process is closed to other users; a command line
# is open to everybody on the machine, so the address with its password never stands on one.
connect() {
  local pattern='^postgres(ql)?://([^:@/]+)(:([^@/]*))?@(\[[0-9a-fA-F:]+\]|[^]:/?[]*)(:([0-9]+))?/([^?]+)(\?(.*))?$' pair
  [[ $1 =~ $pattern ]] || die "the database's address cannot be read: postgres://user:password@host:port/name is wanted"
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
      *) die "the database's address says ${pair%%=*}, which is not understood" ;;
    esac
  done
  export PGAPPNAME=thunse-$program PGCONNECT_TIMEOUT=10
}

ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "$@"; }

sorted() { LC_ALL=C sort -u; }
# without A B: the lines of A that are not in B; both sorted.
without() { LC_ALL=C comm -23 "$1" "$2"; }
# The names of a list of sums.
named() { cut -c 67- "$@"; }

# The store of the pictures, in the same settings as the shop's: a folder (MEDIA_DIR), or S3 through rclone.
if [ -n "${S3_BUCKET:-}" ]; then
  command -v rclone >/dev/null || die "pictures in S3 are copied by rclone, which is not installed (apt install rclone)"
  export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_SHOP_TYPE=s3 RCLONE_CONFIG_SHOP_PROVIDER=Other RCLONE_CONFIG_SHOP_NO_CHECK_BUCKET=true
  export RCLONE_CONFIG_SHOP_REGION=${S3_REGION:-us-east-1} RCLONE_CONFIG_SHOP_ENDPOINT=${S3_ENDPOINT:-}
  export RCLONE_CONFIG_SHOP_ACCESS_KEY_ID=$S3_ACCESS_KEY RCLONE_CONFIG_SHOP_SECRET_ACCESS_KEY=$S3_SECRET_KEY
  if [ -z "${S3_ENDPOINT:-}" ]; then export RCLONE_CONFIG_SHOP_PROVIDER=AWS; fi
  stored() { rclone lsf --recursive --files-only "shop:$S3_BUCKET"; }
  # fetch LIST FOLDER, put LIST FOLDER: from the store, and into it.
  fetch() { rclone copy --files-from-raw "$1" --no-traverse "shop:$S3_BUCKET" "$2"; }
  put() { rclone copy --files-from-raw "$1" --no-traverse "$2" "shop:$S3_BUCKET"; }
else
  : "${MEDIA_DIR:?the folder of the pictures, or S3_BUCKET}"
  stored() { if [ -d "$MEDIA_DIR" ]; then (cd "$MEDIA_DIR" && find . -type f -printf '%P\n'); fi; }
  fetch() { (cd "$MEDIA_DIR" && xargs -r -d '\n' cp --parents --target-directory="$2") <"$1"; }
  # Pictures are for everybody to see, unlike the rest of a backup.
  put() { (umask 022; mkdir -p "$MEDIA_DIR" && cd "$2" && xargs -r -d '\n' cp --parents --no-preserve=mode --remove-destination --target-directory="$MEDIA_DIR") <"$1"; }
fi
# A store may hold what is no picture of ours: a half-written file, a note.
pictures_in_store() { stored | { grep -E '^[0-9a-z-]+/[0-9]+\.webp$' || true; } | sorted; }
