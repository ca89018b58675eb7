import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { allCategories } from './api.ts'
import {
  ALWAYS_THERE,
  addBareCategory,
  BARE,
  brokenInvariants,
  type Goods,
  SELLER_CATEGORY,
  TEST_CATEGORY,
} from './database.ts'
import type { Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import { addCategory, addProduct, PRODUCTS, type SellerProduct } from './seller-catalogue.ts'

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
  const seller = await sellerSession()
  await addCategoryWithProducts(seller, SELLER_CATEGORY, [{ name: 'Desk Crate', price: '100' }])
  await addTestProducts(seller)
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

/** Creates a category with these products, or reuses those of an earlier run. */
async function addCategoryWithProducts(
  seller: Visitor,
  { name, nameNe }: { name: string; nameNe: string },
  products: ({ name: string } & Record<string, string>)[],
): Promise<SellerProduct[]> {
  if (!(await allCategories()).some((category) => category.name === name))
    await addCategory(seller, { name, nameNe, description: 'What tests buy and sell.' })
  const there = await seller.must<SellerProduct[]>(
    'GET',
    `${PRODUCTS}?${new URLSearchParams({ search: name, limit: '100' })}`,
  )
  // One after the other, because they are listed in the order of their creation.
  for (const product of products)
    if (!there.some((each) => each.name === product.name))
      there.push(await addProduct(seller, { ...product, category: name }))
  return there
}

/** Runs before all tests, because some of them would notice products that appear or disappear. */
async function addTestProducts(seller: Visitor) {
  const wanted = ALWAYS_THERE.map((goods) => ({ ...goods, stock: 1_000_000 }))
  const made = await addCategoryWithProducts(
    seller,
    TEST_CATEGORY,
    wanted.map(({ name, nameNe, paisa, stock }) => ({
      name,
      nameNe,
      price: String(paisa / 100),
      stock: String(stock),
    })),
  )
  const goods: Record<string, Goods> = {}
  for (const { _id, slug, name, price, stock } of made) {
    const { nameNe = '', slug: known = slug } = wanted.find((each) => each.name === name) as {
      nameNe?: string
      slug?: string
    }
    goods[known] = { id: _id, name, nameNe, paisa: Math.round(price * 100), stock }
  }
  process.env.TEST_GOODS = JSON.stringify(goods)
}

/** Waits until the server shows a change in the database. */
async function shown(slug: string) {
  const deadline = Date.now() + 60_000
  while (!(await allCategories()).some((category) => category.slug === slug)) {
    if (Date.now() > deadline)
      throw new Error(`the shop does not show the category ${slug} that the set-up added`)
  }
}
