# Every command we use, one line each. `just` comes with scripts/setup (in .tools/python/bin); each line can be typed by hand.
set shell := ["bash", "-euo", "pipefail", "-c"]

# the environment of a running shop (`just up`) for the recipes below
shop := "set -a; . <(scripts/stack env); PUBLIC_URL=$SHOP_URL; SQLX_OFFLINE=true; set +a;"

# install what the project needs on this machine
setup:
    scripts/setup

# start the whole local shop in the background; prints its addresses
up *options:
    scripts/stack up {{options}}

down:
    scripts/stack down

# start the web app with hot reload, against a running shop (SHOP_PORT=8080 just up, then SHOP_PORT=8080 just dev)
dev:
    cd web && npm run dev

# run a minute of checks before a commit
check:
    scripts/check-tree && scripts/check-scripts && scripts/check-dependencies && scripts/check-docs && scripts/check-ops && scripts/check-spec && scripts/check-asvs
    cargo fmt --all --check
    SQLX_OFFLINE=true cargo clippy --all-targets -- -D warnings
    cd web && npm run lint && npm run typecheck && npm test

# run server tests, all or by name; each has its own database in the running shop's cluster
test *filter:
    {{shop}} DATABASE_URL=$ADMIN_DATABASE_URL cargo nextest run {{filter}}

test-web *files:
    cd web && npx vitest run {{files}}

# run browser tests, against a shop of their own
e2e *options:
    cd e2e && npx playwright test {{options}}

build-web:
    cd web && npm run build

# generate everything: query metadata, contract, permissions, TypeScript client
gen:
    # Like `cargo sqlx prepare`: the macros write a query's metadata while they expand, so the crate must be compiled.
    rm -rf target/queries && mkdir -p target/queries && touch server/src/lib.rs
    {{shop}} DATABASE_URL=$ADMIN_DATABASE_URL SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$PWD/target/queries cargo check --quiet --locked -p thunse --lib
    rm -rf server/.sqlx && cp -r target/queries server/.sqlx
    SQLX_OFFLINE=true cargo run --quiet -- openapi > api/openapi.json
    SQLX_OFFLINE=true cargo run --quiet -- permissions > docs/permissions.md
    cd tools/openapi && npm run gen

# migrate the running shop's database to this checkout's schema
migrate:
    {{shop}} cargo run --quiet -- migrate

seed *options:
    {{shop}} cargo run --quiet -- seed {{options}}

# make the pictures of the demo shop from data/drawings.json, or with --sheet FILE a contact sheet
demo-pictures *options:
    cd web && node scripts/demo-pictures.mjs {{options}}

# run a load or chaos driver, against the running shop or its own: just drive backup; without a name, list them
drive *options:
    scripts/drive {{options}}

# measure speed, load and long runs; takes hours on a quiet machine
nightly *options:
    scripts/nightly {{options}}

# show the history of figures: last value, median of the last ten, change
figures:
    scripts/figures

# make every call of the specification's tables against the running shop
contract:
    {{shop}} node tools/contract/walk.mjs && node --test tools/contract/walk.test.mjs

# run Lighthouse against a running shop
lighthouse:
    {{shop}} cd e2e && npm run lighthouse

# take pictures of screens for docs/screenshots: just screenshots home cart
screenshots *names:
    {{shop}} cd e2e && npm run screenshots -- {{names}}

# benchmark with a million products and orders: query plans, CPU of requests, times of the seller dashboard
bench *options:
    scripts/drive benchmark {{options}}

# run exactly what CI runs
verify:
    .ci/run
