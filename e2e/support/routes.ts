import { product, productPath } from './api.ts'
import { BARE } from './database.ts'

/** Every screen of this part of the shop, with the status its first HTML has. */
export async function everyRoute(): Promise<{ name: string; path: string; status: number }[]> {
  const shown = await product(({ stock }) => stock > 10)
  const gone = await product(({ stock }) => stock === 0)
  return [
    { name: 'home', path: '/', status: 200 },
    { name: 'products', path: '/products', status: 200 },
    { name: 'search with similar', path: '/products?search=chamal', status: 200 },
    { name: 'search without match', path: '/products?search=xyzzy', status: 200 },
    { name: 'categories', path: '/categories', status: 200 },
    { name: 'category', path: `/category/${shown.categorySlug}`, status: 200 },
    { name: 'category without products', path: `/category/${BARE.slug}`, status: 200 },
    { name: 'unknown category', path: '/category/nope', status: 404 },
    { name: 'product', path: productPath(shown), status: 200 },
    { name: 'product out of stock', path: productPath(gone), status: 200 },
    { name: 'unknown product', path: '/product/x/nope', status: 404 },
    { name: 'offers', path: '/offers', status: 200 },
    { name: 'about', path: '/about', status: 200 },
    { name: 'empty cart', path: '/cart', status: 200 },
    { name: 'not found', path: '/no-such-page', status: 404 },
  ]
}

export async function route(name: string) {
  const found = (await everyRoute()).find((each) => each.name === name)
  if (!found) throw new Error(`no route called ${name}`)
  return found
}
