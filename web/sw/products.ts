import { BY_IDS, STORES } from '../src/lib/kept.ts'
import { nothingCame, somethingCame } from './line.ts'
import { dateOf, isYoung, keepAnswer, PATIENCE_SECONDS } from './stores.ts'

type Product = { id: string }
type Answer = {
  data?: Product[] | { product?: Product; related?: Product[] }
  matches?: Product[]
  similar?: Product[]
}

/**
 * The products of the cart. Every cart is another question, so an answer is no help for the next one: without a network
 * the products are looked for in all answers that are kept.
 */
export async function productsByIds(request: Request): Promise<Response> {
  const network = ask(request)
  network.then(somethingCame, nothingCame)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_SECONDS * 1000))
  const inTime = await Promise.race([network.catch(() => undefined), late])
  if (inTime) return inTime
  const kept = await productsAtHand(new URL(request.url).searchParams.get('ids')?.split(',') ?? [])
  // A product that is not at hand would read as one that is no longer sold.
  if (!kept) return network
  return isYoung(kept.heard) ? answer(kept) : network.catch(() => answer(kept))
}

async function ask(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 200) await keepAnswer(BY_IDS, await response.clone().json(), dateOf(response))
  return response
}

type AtHand = { products: Product[]; heard: number }

/** Put down as well, with its age, so that the page can tell how old the cart's prices are. */
async function answer({ products, heard }: AtHand): Promise<Response> {
  const body = { success: true, message: '', data: products }
  await keepAnswer(BY_IDS, body, new Date(heard).toUTCString())
  return Response.json(body)
}

/** The newest that is known of each, and when the oldest of those was heard. */
async function productsAtHand(ids: string[]): Promise<AtHand | undefined> {
  const wanted = new Set(ids)
  const found = new Map<string, { product: Product; heard: number }>()
  const store = await caches.open(STORES.answers)
  for (const kept of await store.matchAll()) {
    const heard = Date.parse(kept.headers.get('date') ?? '') || 0
    for (const product of productsIn(await kept.json())) {
      const known = found.get(product.id)
      if (wanted.has(product.id) && (!known || known.heard < heard)) found.set(product.id, { product, heard })
    }
  }
  if (found.size !== wanted.size) return undefined
  const all = [...found.values()]
  return { products: all.map(({ product }) => product), heard: Math.min(...all.map(({ heard }) => heard)) }
}

function productsIn({ data, matches = [], similar = [] }: Answer): Product[] {
  if (Array.isArray(data)) return [...data, ...matches, ...similar]
  return data?.product ? [data.product, ...(data.related ?? [])] : []
}
