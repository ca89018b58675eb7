import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { allCategories } from './api.ts'
import { addBareCategory, BARE, brokenInvariants, SELLER_CATEGORY } from './database.ts'
import type { Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import { addCategory } from './seller-catalogue.ts'

const ROOT = join(import.meta.dirname, '../..')
const stack = (command: 'up' | 'down') =>
  execFileSync(join(ROOT, 'scripts/stack'), [command], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Uses the shop at SHOP_URL; without one it starts its own and stops it afterwards. */
export default async function setUp() {
  const own = !process.env.SHOP_URL
  if (own) for (const line of stack('up').split('\n')) set(line)
  addBareCategory()
  await addSellerCategory(await sellerSession())
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

/** Creates the category of the products that tests create, unless an earlier run has. */
async function addSellerCategory(seller: Visitor) {
  const { name, nameNe } = SELLER_CATEGORY
  if (!(await allCategories()).some((category) => category.name === name))
    await addCategory(seller, { name, nameNe, description: 'What tests buy and sell.' })
}

/** Waits until the server shows a change in the database. */
async function shown(slug: string) {
  const deadline = Date.now() + 60_000
  while (!(await allCategories()).some((category) => category.slug === slug)) {
    if (Date.now() > deadline)
      throw new Error(`the shop does not show the category ${slug} that the set-up added`)
  }
}
