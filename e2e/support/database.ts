import { execFileSync } from 'node:child_process'

/** A category with neither description nor products, which the demo shop does not have. */
export const BARE = { slug: 'bare-shelf', name: 'Bare Shelf' }

/** The category of the products that tests buy, so that sales do not change the figures of other tests. */
export const TEST_CATEGORY = { slug: 'test-shelf', name: 'Test Shelf', nameNe: 'परीक्षणको दराज' }
/** The category of products that the seller's tests create: the last one, which no other test opens. */
export const SELLER_CATEGORY = { slug: 'desk-shelf', name: 'Desk Shelf', nameNe: 'डेस्कको दराज' }
/** Products with the prices of the specification's table, in paisa; they never sell out. */
export const ALWAYS_THERE = [
  { slug: 'crate-of-five-hundred', name: 'Crate of Five Hundred', nameNe: 'पाँच सयको बाकस', paisa: 500_00 },
  { slug: 'crate-of-thirds', name: 'Crate of Thirds', nameNe: 'तिहाइको बाकस', paisa: 333_33 },
  { slug: 'one-rupee-match', name: 'One Rupee Match', nameNe: 'एक रुपैयाँको सलाई', paisa: 1_00 },
]
function psql(sql: string, url = process.env.DATABASE_URL): string {
  if (!url) throw new Error('DATABASE_URL is not set: take it from the lines that scripts/stack up prints')
  return execFileSync('psql', ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', url, '-c', sql], {
    encoding: 'utf8',
  })
}

/** Uses SQL, because the API requires a description and two pictures, which an old category may lack. */
export function addBareCategory() {
  psql(
    `INSERT INTO categories (id, slug, name, name_ne) VALUES (gen_random_uuid(), '${BARE.slug}', '${BARE.name}', 'रित्तो दराज') ON CONFLICT DO NOTHING`,
  )
}

export type Goods = { id: string; name: string; nameNe: string; paisa: number; stock: number }

/** A product that the set-up has created: workers start after it and inherit its environment. */
function oneOf(slug: string): Goods {
  const found = (JSON.parse(process.env.TEST_GOODS ?? '{}') as Record<string, Goods>)[slug]
  if (!found) throw new Error(`the set-up has put no ${slug} into the shop`)
  return found
}

export const fiveHundred = () => oneOf('crate-of-five-hundred')
export const thirds = () => oneOf('crate-of-thirds')
export const oneRupee = () => oneOf('one-rupee-match')

/** The violated invariants, which only the database knows; there must never be any. */
export function brokenInvariants(): string[] {
  return psql('SELECT invariant, what, detail FROM invariant_violations LIMIT 20').split('\n').filter(Boolean)
}
