# Every command we use, one line each. `just` comes with scripts/setup (in .tools/python/bin); each line can be typed by hand.
set shell := ["bash", "-euo", "pipefail", "-c"]

# what a running shop (`just up`) says of itself, for whatever works against it
shop := "set -a; . <(scripts/stack env); PUBLIC_URL=$SHOP_URL; SQLX_OFFLINE=true; set +a;"

# what the project needs on this machine
setup:
    scripts/setup

# the whole local shop in the background; prints its addresses
up *options:
    scripts/stack up {{options}}

down:
    scripts/stack down

# the web app with hot reload, against a running shop (SHOP_PORT=8080 just up, then SHOP_PORT=8080 just dev)
dev:
    cd web && npm run dev

# a minute of checks before a commit
check:
    scripts/check-tree && scripts/check-scripts && scripts/check-dependencies && scripts/check-docs && scripts/check-ops && scripts/check-spec && scripts/check-asvs
    cargo fmt --all --check
    SQLX_OFFLINE=true cargo clippy --all-targets -- -D warnings
    cd web && npm run lint && npm run typecheck && npm test

# server tests, all or by name; each gets a database of its own in the running shop's cluster
test *filter:
    {{shop}} DATABASE_URL=$ADMIN_DATABASE_URL cargo nextest run {{filter}}

test-web *files:
    cd web && npx vitest run {{files}}

# browser tests, against a shop of their own
e2e *options:
    cd e2e && npx playwright test {{options}}

build-web:
    cd web && npm run build

# everything generated: query metadata, contract, TypeScript client
gen:
    # What `cargo sqlx prepare` does: the macros write a query's metadata while they expand, so the crate must be compiled.
    rm -rf target/queries && mkdir -p target/queries && touch server/src/lib.rs
    {{shop}} DATABASE_URL=$ADMIN_DATABASE_URL SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$PWD/target/queries cargo check --quiet --locked -p thunse --lib
    rm -rf server/.sqlx && cp -r target/queries server/.sqlx
    SQLX_OFFLINE=true cargo run --quiet -- openapi > api/openapi.json
    cd tools/openapi && npm run gen

# the running shop's database, to this checkout's schema
migrate:
    {{shop}} cargo run --quiet -- migrate

seed *options:
    {{shop}} cargo run --quiet -- seed {{options}}

# a load or chaos driver, against the running shop or one of its own: just drive backup; without a name: what there is
drive *options:
    scripts/drive {{options}}

# everything that measures speed, load and long runs; for hours on a quiet machine
nightly *options:
    scripts/nightly {{options}}

# the history of figures: last value, median of the last ten, change
figures:
    scripts/figures

# every call of the specification's tables against the running shop
contract:
    {{shop}} node tools/contract/walk.mjs && node --test tools/contract/walk.test.mjs

# Lighthouse against a running shop
lighthouse:
    {{shop}} cd e2e && npm run lighthouse

# pictures of screens, for docs/screenshots: just screenshots home cart
screenshots *names:
    {{shop}} cd e2e && npm run screenshots -- {{names}}

# a million products and orders: query plans, CPU of requests, times of the seller dashboard
bench *options:
    scripts/drive benchmark {{options}}

# exactly what CI runs
verify:
    .ci/run
