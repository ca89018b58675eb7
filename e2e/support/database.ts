import { execFileSync } from 'node:child_process'

/** What no demo shop has: a category with neither description nor products. */
export const BARE = { slug: 'bare-shelf', name: 'Bare Shelf' }

/** Goods that tests buy, in a category of their own, so that no other test's figures move when something is sold. */
export const SHELF = { slug: 'test-shelf', name: 'Test Shelf' }
/** Where the seller's tests put what they make: the last category, which no other test looks into. */
export const DESK_SHELF = { slug: 'desk-shelf', name: 'Desk Shelf' }
/** With prices in paisa that make the figures of the specification's table; never sold out. */
const ALWAYS_THERE = [
  { slug: 'crate-of-five-hundred', name: 'Crate of Five Hundred', nameNe: 'पाँच सयको बाकस', paisa: 500_00 },
  { slug: 'crate-of-thirds', name: 'Crate of Thirds', nameNe: 'तिहाइको बाकस', paisa: 333_33 },
  { slug: 'one-rupee-match', name: 'One Rupee Match', nameNe: 'एक रुपैयाँको सलाई', paisa: 1_00 },
]
/** One that was sold once and is no more. */
const GONE = { slug: 'crate-of-yesterday', name: 'Crate of Yesterday', nameNe: 'हिजोको बाकस', paisa: 250_00 }
/** How many tests may have a product of their own; see `ownGoods`. */
const SPARE = 40

function psql(sql: string): string {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set: take it from the lines that scripts/stack up prints')
  return execFileSync('psql', ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', url, '-c', sql], {
    encoding: 'utf8',
  })
}

export function addBareCategory() {
  psql(
    `INSERT INTO categories (id, slug, name, name_ne) VALUES (gen_random_uuid(), '${BARE.slug}', '${BARE.name}', 'रित्तो दराज') ON CONFLICT DO NOTHING`,
  )
}

/** With the pictures of another, and one product, because a category without any is a test's own. */
export function addDeskShelf() {
  psql(
    `WITH shelf AS (
       INSERT INTO categories (id, slug, name, name_ne, description, picture_key, icon_key)
       SELECT gen_random_uuid(), '${DESK_SHELF.slug}', '${DESK_SHELF.name}', 'डेस्कको दराज', 'What sellers try out.', picture_key, icon_key
       FROM categories WHERE picture_key IS NOT NULL ORDER BY position LIMIT 1 ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO products (id, category_id, slug, name, price_paisa) SELECT gen_random_uuid(), id, 'desk-crate', 'Desk Crate', 10000 FROM shelf`,
  )
}

/** Sellers come from the command line only; a test that needs its own copies one that did. */
export function copySeller(from: string, email: string) {
  const copied = psql(
    `INSERT INTO sellers (id, email, name, password_hash)
     SELECT gen_random_uuid(), '${email}', name, password_hash FROM sellers WHERE email = '${from}' RETURNING 1`,
  )
  if (copied.trim() !== '1') throw new Error(`there is no seller ${from} to copy`)
}

/** Logged out by the shop: every session of that seller is gone. */
export function endSellerSessions(email: string) {
  psql(
    `DELETE FROM sessions WHERE kind = 'seller' AND person = (SELECT id FROM sellers WHERE email = '${email}')`,
  )
}

export type Goods = { id: string; name: string; nameNe: string; paisa: number; stock: number }

/** Before anything runs: tests that count products would see one come or go. */
export function fillShelf() {
  const rows = [
    ...ALWAYS_THERE.map((goods) => ({ ...goods, stock: 1_000_000, archived: 'NULL' })),
    { ...GONE, stock: 10, archived: 'now()' },
    ...Array.from({ length: SPARE }, (_, n) => ({
      slug: `spare-crate-${n}`,
      name: `Spare Crate ${n}`,
      nameNe: `जगेडा बाकस ${n}`,
      paisa: 100_00,
      stock: 5,
      archived: 'NULL::timestamptz',
    })),
  ]
  const values = rows
    .map(
      ({ slug, name, nameNe, paisa, stock, archived }) =>
        `('${slug}', '${name}', '${nameNe}', ${paisa}, ${stock}, ${archived}::timestamptz)`,
    )
    .join(', ')
  psql(
    `INSERT INTO categories (id, slug, name, name_ne, description, description_ne, picture_key, icon_key)
     SELECT gen_random_uuid(), '${SHELF.slug}', '${SHELF.name}', name_ne, description, description_ne, picture_key, icon_key
     FROM categories WHERE picture_key IS NOT NULL ORDER BY position LIMIT 1 ON CONFLICT DO NOTHING;
     WITH made AS (
       INSERT INTO products (id, category_id, slug, name, name_ne, price_paisa, stock, archived_at)
       SELECT gen_random_uuid(), categories.id, goods.* FROM (VALUES ${values}) goods, categories WHERE categories.slug = '${SHELF.slug}'
       ON CONFLICT DO NOTHING RETURNING id, stock)
     INSERT INTO stock_movements (product_id, delta, reason) SELECT id, stock, 'first stock' FROM made`,
  )
}

function goodsWhere(condition: string): Goods[] {
  const found = psql(
    `SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'nameNe', name_ne, 'paisa', price_paisa, 'stock', stock)
                              ORDER BY position), '[]') FROM products WHERE ${condition}`,
  )
  return JSON.parse(found)
}

function oneOf(slug: string): Goods {
  const [found] = goodsWhere(`slug = '${slug}'`)
  if (!found) throw new Error(`the set-up has put no ${slug} on the shelf`)
  return found
}

export const fiveHundred = () => oneOf('crate-of-five-hundred')
export const thirds = () => oneOf('crate-of-thirds')
export const oneRupee = () => oneOf('one-rupee-match')
export const noLongerSold = () => oneOf(GONE.slug)

/** A product that no other test touches, with that price and stock. */
export function ownGoods({ paisa = 100_00, stock = 5 } = {}): Goods {
  const claimed = psql(
    `UPDATE products SET aliases = '{taken}' WHERE id = (
       SELECT id FROM products WHERE slug LIKE 'spare-crate-%' AND aliases = '{}' LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING slug`,
  ).trim()
  if (!claimed) throw new Error('no spare goods are left: raise SPARE')
  const goods = oneOf(claimed)
  setPrice(goods, paisa)
  setStock(goods, stock)
  return oneOf(claimed)
}

export function setPrice({ id }: Goods, paisa: number) {
  psql(`UPDATE products SET price_paisa = ${paisa}, updated_at = now() WHERE id = '${id}'`)
}

/** By the catalogue's own rule: no stock without its movement. */
export function setStock({ id }: Goods, stock: number) {
  psql(
    `WITH was AS (SELECT id, stock FROM products WHERE id = '${id}' FOR NO KEY UPDATE),
          changed AS (UPDATE products p SET stock = ${stock} FROM was WHERE p.id = was.id RETURNING p.id, p.stock - was.stock AS delta)
     INSERT INTO stock_movements (product_id, delta, reason) SELECT id, delta, 'seller set' FROM changed WHERE delta <> 0`,
  )
}

export const stockOf = ({ id }: Goods): number => goodsWhere(`id = '${id}'`)[0]?.stock ?? 0

/** What a cart held before its goods went off sale. */
export function putIntoCart(email: string, { id }: Goods, quantity: number) {
  psql(
    `INSERT INTO carts (user_id, items) SELECT id, '{"${id}": ${quantity}}' FROM users WHERE email = '${email}'
     ON CONFLICT (user_id) DO UPDATE SET items = carts.items || excluded.items`,
  )
}

/** What the shop promises itself and does not hold; nothing, always. */
export function brokenInvariants(): string[] {
  return psql('SELECT invariant, what, detail FROM invariant_violations LIMIT 20').split('\n').filter(Boolean)
}
