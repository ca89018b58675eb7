# Every command we use, one line each. `just` comes with scripts/setup (in .tools/python/bin); each line can be typed by hand.

# what the project needs on this machine
setup:
    scripts/setup

# the whole local shop in the background; prints its addresses
up *options:
    scripts/stack up {{options}}

down:
    scripts/stack down

# the web app with hot reload, against a running shop (SHOP_PORT=… just up, then SHOP_PORT=… just dev)
dev:
    cd web && npm run dev

# a minute of checks before a commit
check:
    cargo fmt --all --check
    cargo clippy --all-targets -- -D warnings
    cd web && npm run lint && npm run typecheck && npm test

# server tests, all or by name; needs DATABASE_URL of a private cluster (scripts/stack env prints one)
test *filter:
    cargo nextest run {{filter}}

test-web:
    cd web && npm test

e2e *options:
    cd e2e && npx playwright test {{options}}

build-web:
    cd web && npm run build

# everything generated: query metadata, contract, TypeScript client
gen:
    scripts/sqlx-prepare
    cargo run --quiet -- openapi > api/openapi.json
    cd tools/openapi && npm run gen

migrate:
    cargo run --quiet -- migrate

seed *options:
    cargo run --quiet -- seed {{options}}

# Lighthouse against a running shop
lighthouse:
    cd e2e && npm run lighthouse

# a million products: plans, CPU against bare SQL, kept pages against nginx
bench *options:
    scripts/bench/catalogue {{options}}

# exactly what CI runs
verify:
    .ci/run
