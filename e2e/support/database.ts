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
