import { execFileSync } from 'node:child_process'

/** What no demo shop has: a category with neither description nor products. */
export const BARE = { slug: 'bare-shelf', name: 'Bare Shelf' }

function psql(sql: string): string {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set: take it from the lines that scripts/stack up prints')
  return execFileSync('psql', ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', url, '-c', sql], {
    encoding: 'utf8',
  })
}

export function addBareCategory() {
  psql(
    `INSERT INTO categories (id, slug, name) VALUES (gen_random_uuid(), '${BARE.slug}', '${BARE.name}') ON CONFLICT DO NOTHING`,
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
