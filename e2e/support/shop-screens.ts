import { allProducts, productPath } from './api.ts'
import type { BuyingScreen } from './buying-screens.ts'
import { PHONE } from './chromium.ts'

/** The public screens of the shop in their normal state. */
export async function shopScreens(): Promise<BuyingScreen[]> {
  const products = await allProducts()
  const shown = products.find(({ stock, rating }) => stock > 10 && rating >= 4.5)
  const soldOut = products.find(({ stock }) => stock === 0)
  if (!shown || !soldOut) throw new Error('the demo shop lacks a product in stock or one out of stock')
  const at = (name: string, path: string): BuyingScreen => ({ name, path, who: 'visitor' })
  const ordinary = (name: string, path: string): BuyingScreen => ({ ...at(name, path), ordinary: true })
  return [
    ordinary('home', '/'),
    ordinary('products', '/products'),
    ordinary('products-search', '/products?search=chamal'),
    at('products-no-match', '/products?search=xyzzy'),
    ordinary('categories', '/categories'),
    ordinary('category', '/category/rice-grains'),
    at('category-not-found', '/category/nope'),
    ordinary('product', productPath(shown)),
    at('product-out-of-stock', productPath(soldOut)),
    at('product-not-found', '/product/x/nope'),
    ordinary('offers', '/offers'),
    ordinary('about', '/about'),
    at('cart-empty', '/cart'),
    ordinary('not-found', '/no-such-page'),
    {
      ...at('menu', '/'),
      widths: [PHONE.width],
      prepare: (page) => page.locator('.menu-button').click(),
    },
    {
      ...at('search-suggestions', '/products'),
      // In a narrow window the search box is a different one in another place.
      fresh: true,
      prepare: async (page) => {
        await page.locator('header [role=combobox]:visible').fill('ri')
        await page.locator('[role=grid] [role=row]').first().waitFor()
      },
    },
  ]
}
