import { product, productPath } from './api.ts'
import { BARE } from './database.ts'

type Route = { name: string; path: string; heading: string; status: number }

/** Every page that a visitor can open, with its heading and the status of its first HTML. */
export async function everyRoute(): Promise<Route[]> {
  const shown = await product(({ stock }) => stock > 10)
  const gone = await product(({ stock }) => stock === 0)
  const at = (name: string, path: string, heading: string, status = 200) => ({ name, path, heading, status })
  return [
    at('home', '/', 'Welcome to Thunse'),
    at('products', '/products', 'Products'),
    at('search by another name', '/products?search=chamal', 'Results for "chamal"'),
    at('search with similar', '/products?search=basmti', 'Results for "basmti"'),
    at('search without match', '/products?search=xyzzy', 'Results for "xyzzy"'),
    at('categories', '/categories', 'Shop by Category'),
    at('category', `/category/${shown.categorySlug}`, shown.category),
    at('category without products', `/category/${BARE.slug}`, BARE.name),
    at('unknown category', '/category/nope', 'Category Not Found', 404),
    at('product', productPath(shown), shown.name),
    at('product out of stock', productPath(gone), gone.name),
    at('unknown product', '/product/x/nope', 'Product not found', 404),
    at('offers', '/offers', "Today's Best Offers & Deals"),
    at('about', '/about', 'About Thunse'),
    at('privacy policy', '/privacy', 'Privacy policy'),
    at('terms', '/terms', 'Terms of use'),
    at('returns', '/returns', 'Returns and refunds'),
    at('delivery policy', '/delivery-policy', 'Delivery policy'),
    at('orders', '/orders', 'My Orders'),
    at('payment', '/payment', 'Payment cancelled'),
    at('empty cart', '/cart', 'Your cart is empty'),
    at('not found', '/no-such-page', 'Page not found', 404),
  ]
}

export async function route(name: string): Promise<Route> {
  const found = (await everyRoute()).find((each) => each.name === name)
  if (!found) throw new Error(`no route called ${name}`)
  return found
}
