import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { allCategories } from './api.ts'
import { addBareCategory, addDeskShelf, BARE, brokenInvariants, fillShelf } from './database.ts'

const ROOT = join(import.meta.dirname, '../..')
const stack = (command: 'up' | 'down') =>
  execFileSync(join(ROOT, 'scripts/stack'), [command], {
    cwd: ROOT,
    encoding: 'utf8',
    // A payment that nobody tells of is found within a minute; tests do not wait that long.
    env: { PAYMENT_MINUTE_MS: '2000', ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Uses the shop that SHOP_URL names; without one it starts its own and ends it afterwards. */
export default async function setUp() {
  const own = !process.env.SHOP_URL
  if (own) for (const line of stack('up').split('\n')) set(line)
  addBareCategory()
  fillShelf()
  addDeskShelf()
  await shown(BARE.slug)
  return () => {
    const broken = brokenInvariants()
    if (own) stack('down')
    if (broken.length > 0) throw new Error(`the shop's invariants are broken:\n${broken.join('\n')}`)
  }
}

function set(line: string) {
  const [, key, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? []
  if (key && value !== undefined) process.env[key] = value
}

/** The server promises to notice a change in the database within a second; the tests must not start before. */
async function shown(slug: string) {
  const deadline = Date.now() + 5000
  while (!(await allCategories()).some((category) => category.slug === slug)) {
    if (Date.now() > deadline)
      throw new Error(`the shop does not show the category ${slug} that the set-up added`)
  }
}
