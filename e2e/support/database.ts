import { execFileSync } from 'node:child_process'

/** A category with neither description nor products, which the demo shop does not have. */
export const BARE = { slug: 'bare-shelf', name: 'Bare Shelf' }

/** The category of the products that tests create: the last one, which no test opens. */
export const SELLER_CATEGORY = { slug: 'desk-shelf', name: 'Desk Shelf', nameNe: 'डेस्कको दराज' }

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

/** The violated invariants, which only the database knows; there must never be any. */
export function brokenInvariants(): string[] {
  return psql('SELECT invariant, what, detail FROM invariant_violations LIMIT 20').split('\n').filter(Boolean)
}
