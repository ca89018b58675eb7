/** The responses of the API, which the screens are compared with. */
export type Product = {
  id: string
  name: string
  nameNe: string | null
  description: string
  category: string
  categoryNe: string | null
  categorySlug: string
  price: number
  image: string | null
  tags: string[]
  rating: number
  reviews: number
  stock: number
}
export type Category = {
  name: string
  nameNe: string | null
  slug: string
  description: string
  totalproducts: number
}
export type ProductPage = {
  data: Product[]
  matches: Product[]
  nextCursor: string | null
  total: number
  similar: Product[]
}

export function shopUrl(): string {
  const url = process.env.SHOP_URL
  if (!url) throw new Error('SHOP_URL is not set: the global set-up should have started a shop')
  return url
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(shopUrl() + path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

export function productPage(query: Record<string, string> = {}): Promise<ProductPage> {
  return get(`/api/product/get_products?${new URLSearchParams(query)}`)
}

/** All matching products, from as many pages as needed. */
export async function allProducts(query: Record<string, string> = {}): Promise<Product[]> {
  const found: Product[] = []
  let cursor: string | null = null
  do {
    const page: ProductPage = await productPage({ ...query, limit: '60', ...(cursor ? { cursor } : {}) })
    found.push(...page.data)
    cursor = page.nextCursor
  } while (cursor)
  return found
}

export async function allCategories(): Promise<Category[]> {
  return (await get<{ data: Category[] }>('/api/category/get_category_public')).data
}

export async function product(wanted: (product: Product) => boolean): Promise<Product> {
  const found = (await allProducts()).find(wanted)
  if (!found) throw new Error('the demo shop has no such product')
  return found
}

export function productPath({ categorySlug, id }: Product): string {
  return `/product/${categorySlug}/${id}`
}
