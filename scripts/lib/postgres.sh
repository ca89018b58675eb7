# A private PostgreSQL cluster: its own folder, port and superuser, nothing shared with the machine's own.
# Sourced by scripts/stack and .ci/run. PostgreSQL refuses to run as root, so as root it runs as the
# `postgres` user of the Debian package.
. "$(dirname "${BASH_SOURCE[0]}")/ports.sh"

pg_bin() {
  local dir
  for dir in /usr/lib/postgresql/{18,17,16,15}/bin; do
    if [ -x "$dir/initdb" ]; then echo "$dir"; return; fi
  done
  echo "no PostgreSQL 15 or newer found: run scripts/setup" >&2
  return 1
}

as_pg() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=postgres --regid=postgres --init-groups --reset-env "$@"
  else
    "$@"
  fi
}

# pg_start DIR PORT: makes the cluster if it is new, starts it, returns when it answers.
pg_start() {
  local dir=$1 port=$2 bin
  bin=$(pg_bin) || return 1
  if [ ! -d "$dir" ]; then
    mkdir -p "$dir"
    if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
    as_pg "$bin/initdb" -D "$dir/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >"$dir/initdb.log" 2>&1 || {
      cat "$dir/initdb.log" >&2
      return 1
    }
    as_pg tee -a "$dir/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
max_connections = 300
shared_buffers = ${PG_SHARED_BUFFERS:-512MB}
work_mem = 16MB
maintenance_work_mem = 512MB
max_wal_size = 8GB
fsync = ${PG_FSYNC:-on}
random_page_cost = 1.1
jit = off
timezone = 'UTC'
CONF
  fi
  as_pg "$bin/pg_ctl" -D "$dir/data" -o "-p $port" -l "$dir/data/server.log" -w -t 60 start >/dev/null || {
    as_pg tail -n 20 "$dir/data/server.log" >&2
    return 1
  }
}

pg_stop() {
  local dir=$1 bin
  bin=$(pg_bin) || return 1
  if [ -f "$dir/data/postmaster.pid" ]; then
    as_pg "$bin/pg_ctl" -D "$dir/data" -m fast -w stop >/dev/null
  fi
}

# The roles of the shop: one may change the schema, one only the rows, one reads everything for backups (decision 006).
pg_roles() {
  local port=$1
  "$(pg_bin)/psql" -q -X -h 127.0.0.1 -p "$port" -U postgres -d postgres -v ON_ERROR_STOP=1 <<'SQL'
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_migrate') THEN
    CREATE ROLE thunse_migrate LOGIN PASSWORD 'thunse_migrate';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_app') THEN
    CREATE ROLE thunse_app LOGIN PASSWORD 'thunse_app';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_backup') THEN
    CREATE ROLE thunse_backup LOGIN BYPASSRLS PASSWORD 'thunse_backup';
    GRANT pg_read_all_data TO thunse_backup;
  END IF;
  -- Seller administration: what the serving role may do, and sellers.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_admin') THEN
    CREATE ROLE thunse_admin LOGIN PASSWORD 'thunse_admin' IN ROLE thunse_app;
  END IF;
END $$;
SQL
}

# pg_database PORT NAME: an empty database owned by the migrating role, which alone may add tables to it.
pg_database() {
  local port=$1 name=$2 psql
  psql="$(pg_bin)/psql -q -X -h 127.0.0.1 -p $port -U postgres -v ON_ERROR_STOP=1"
  if [ "$($psql -d postgres -Atc "SELECT count(*) FROM pg_database WHERE datname = '$name'")" = 0 ]; then
    $psql -d postgres -c "CREATE DATABASE $name OWNER thunse_migrate"
  fi
  $psql -d "$name" -c "GRANT USAGE, CREATE ON SCHEMA public TO thunse_migrate" -c "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
}
