import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { sessions } from '@/features/accounts/session'
import { setSignedIn } from '@/features/accounts/sign-in-out'
import { rememberViewed } from '@/features/catalogue/recently-viewed'
import { wishlistQueries } from '@/features/wishlist/api'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { FavouritesPage } from '@/pages/storefront/favourites-page'
import { HomePage } from '@/pages/storefront/home-page'
import { ProductPage } from '@/pages/storefront/product-page'
import { catalogue } from '@/test/catalogue'
import { aCategory, aProduct, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { settled } from '@/test/settled'
import { showEverything } from '@/test/visible'

const LIST = 'GET /api/wishlist'
const ADD = 'PUT /api/wishlist/favourites/p-oil'
const REMOVE = 'DELETE /api/wishlist/favourites/p-oil'
const WAIT = 'PUT /api/wishlist/stock_notices/p-oil'
const STOP = 'DELETE /api/wishlist/stock_notices/p-oil'
const POPULAR = 'GET /api/wishlist/popular'
const SIGNED_OUT = refused(401, 'signed_out', 'Please log in.')
const marked = (favourites: string[], stockNotices: string[] = []) => ok({ favourites, stockNotices })
const calls = (requests: { method: string; path: string }[]) =>
  requests
    .filter(({ path }) => path.startsWith('/api/wishlist'))
    .map(({ method, path }) => `${method} ${path}`)

const many = Array.from({ length: 30 }, (_, n) =>
  aProduct({ id: `p-${n}`, _id: `p-${n}`, name: `Product ${n}` }),
)

beforeEach(() => {
  authDialog.close()
  queryClient.setQueryData(sessions.user.queryKey, aUser())
})

const heart = () => screen.findByRole('button', { name: 'Favourite', description: 'Mustard Oil' })
const grid = () => renderInShop(<ShopProductGrid products={[aProduct()]} />)

test('the heart shows what is a favourite and changes it at once', async () => {
  const requests = mockServer({ [LIST]: marked([]), [ADD]: ok({}), [REMOVE]: ok({}) })
  const { address } = await grid()
  await heart()
  await settled()
  expect(await heart()).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(await heart())
  expect(await heart()).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(await heart())
  expect(await heart()).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => calls(requests)).toEqual([LIST, ADD, REMOVE])
  expect(await screen.findByText('Added to favourites')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'View' }))
  await expect.poll(address).toBe('/favourites')
})

test('a favourite from before is filled', async () => {
  mockServer({ [LIST]: marked(['p-oil']) })
  await grid()
  await waitFor(async () => expect(await heart()).toHaveAttribute('aria-pressed', 'true'))
})

test('what the server refuses is taken back, and its message is shown', async () => {
  mockServer({
    [LIST]: marked([]),
    [ADD]: refused(409, 'too_many_favourites', 'You can have at most 500 favourites.'),
  })
  await grid()
  await userEvent.click(await heart())
  expect(await screen.findByText('You can have at most 500 favourites.')).toBeInTheDocument()
  expect(await heart()).toHaveAttribute('aria-pressed', 'false')
})

test('a list that was requested before a mark and arrives after it does not undo the mark', async () => {
  const requests = mockServer({
    [LIST]: marked([]),
    [ADD]: () => {
      void queryClient.invalidateQueries({ queryKey: wishlistQueries.marked.queryKey })
      return ok({})
    },
  })
  await grid()
  await waitFor(() => expect(calls(requests)).toEqual([LIST]))
  await settled()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer = fetch
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = await answer(request)
    if (request.method === 'GET') await released
    return response
  })

  await userEvent.click(await heart())
  expect(await screen.findByText('Added to favourites')).toBeInTheDocument()
  expect(calls(requests)).toEqual([LIST, ADD, LIST])
  release()

  await settled()
  expect(await heart()).toHaveAttribute('aria-pressed', 'true')
})

test('a visitor is asked to log in, and then the product is a favourite', async () => {
  queryClient.setQueryData(sessions.user.queryKey, null)
  const requests = mockServer({
    [LIST]: () => marked(calls(requests).includes(ADD) ? ['p-oil'] : []),
    [ADD]: ok({}),
    'GET /api/user/isAuth': SIGNED_OUT,
  })
  await renderInShop(
    <>
      <ShopProductGrid products={[aProduct(), aProduct({ id: 'p-ghee', _id: 'p-ghee', name: 'Ghee' })]} />
      <AuthDialog />
    </>,
  )
  await userEvent.click(await heart())
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  expect(calls(requests)).toEqual([])

  await setSignedIn(aUser())
  authDialog.close()

  await expect.poll(() => calls(requests)).toContain(ADD)
  await waitFor(async () => expect(await heart()).toHaveAttribute('aria-pressed', 'true'))
  expect(calls(requests).filter((call) => call.startsWith('PUT'))).toEqual([ADD])
})

test('a visitor who closes the login marks nothing by a later login', async () => {
  queryClient.setQueryData(sessions.user.queryKey, null)
  const requests = mockServer({ [LIST]: marked([]), [ADD]: ok({}), 'GET /api/user/isAuth': SIGNED_OUT })
  await renderInShop(
    <>
      <ShopProductGrid products={[aProduct()]} />
      <AuthDialog />
    </>,
  )
  await userEvent.click(await heart())
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()

  await setSignedIn(aUser())

  await expect.poll(() => calls(requests)).toContain(LIST)
  await settled()
  expect(calls(requests)).toEqual([LIST])
})

test('a session that has ended elsewhere asks for the login', async () => {
  mockServer({ [LIST]: marked([]), [ADD]: SIGNED_OUT })
  await renderInShop(
    <>
      <ShopProductGrid products={[aProduct()]} />
      <AuthDialog />
    </>,
  )
  await userEvent.click(await heart())
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
})

const productPage = (stock: number) => {
  const product = aProduct({ stock })
  return { 'GET /api/product/get_product/p-oil': ok({ product, related: [] }) }
}

test('a sold-out product offers a message when it is back', async () => {
  const requests = mockServer({
    ...productPage(0),
    [LIST]: marked([]),
    [WAIT]: ok({}),
    [STOP]: ok({}),
  })
  await renderInShop(<ProductPage />, { at: '/product/oil-ghee/p-oil' })
  const button = await screen.findByRole('button', { name: 'Tell me when it is back' })
  await settled()
  await userEvent.click(button)
  expect(await screen.findByText(/We will email you when it is back/)).toBeInTheDocument()
  expect(button).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(button)
  await expect.poll(() => screen.queryByText(/We will email you/)).toBeNull()
  await expect.poll(() => calls(requests)).toEqual([LIST, WAIT, STOP])
})

test('a product in stock has the heart and offers no message', async () => {
  mockServer({ ...productPage(5), [LIST]: marked([]) })
  await renderInShop(<ProductPage />, { at: '/product/oil-ghee/p-oil' })
  expect(await screen.findByText('(5 available)')).toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Favourite' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Tell me when it is back' })).toBeNull()
})

test('the home page lists what the shopper has bought before, between the featured products and the newsletter', async () => {
  showEverything()
  mockServer({
    ...catalogue([aProduct({ id: 'p-1', _id: 'p-1', name: 'Rice' })]),
    [LIST]: marked([]),
    'GET /api/wishlist/buy_again': ok([aProduct()]),
  })
  await renderInShop(<HomePage />)
  const rail = within(await screen.findByRole('region', { name: 'Buy again' }))
  expect(rail.getByRole('link', { name: 'Mustard Oil' })).toBeInTheDocument()
  expect(rail.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
  expect(rail.getByRole('link', { name: 'See your orders' })).toHaveAttribute('href', '/orders')
  const sections = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
  const place = sections.indexOf('Buy again')
  expect(sections[place - 1]).toBe('Featured Essentials')
})

test('the home page has rails of what is new, the categories and what was viewed', async () => {
  showEverything()
  queryClient.setQueryData(sessions.user.queryKey, null)
  rememberViewed('p-2')
  rememberViewed('p-1')
  const requests = mockServer({
    [POPULAR]: ok([]),
    ...catalogue(many.slice(0, 8), [
      aCategory({ slug: 'oil', name: 'Oil', totalproducts: 8 }),
      aCategory({ slug: 'few', name: 'Few', totalproducts: 2 }),
    ]),
    ...byIds,
  })
  await renderInShop(<HomePage />)
  const rail = async (name: string) => within(await screen.findByRole('region', { name }))
  const products = async (name: string) =>
    (await rail(name)).getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
  expect((await rail('New arrivals')).getByRole('link', { name: 'See all: New arrivals' })).toHaveAttribute(
    'href',
    '/products?sort=newest',
  )
  expect((await rail('Oil')).getByRole('link', { name: 'See all: Oil' })).toHaveAttribute(
    'href',
    '/category/oil',
  )
  expect(await products('Recently viewed')).toEqual(['Product 1', 'Product 2'])
  expect(screen.queryByRole('region', { name: 'Few' })).toBeNull()
  expect(calls(requests)).toEqual([POPULAR])
  const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
  expect(titles.at(-1)).toBe('All products')
})

test('the home page shows what others buy, before what is new', async () => {
  showEverything()
  queryClient.setQueryData(sessions.user.queryKey, null)
  mockServer({ ...catalogue(many.slice(0, 8)), [POPULAR]: ok(many.slice(20, 23)) })
  await renderInShop(<HomePage />)
  const rail = within(await screen.findByRole('region', { name: 'What others are buying' }))
  expect(rail.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Product 20',
    'Product 21',
    'Product 22',
  ])
  await screen.findByRole('region', { name: 'New arrivals' })
  const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
  expect(titles.indexOf('New arrivals')).toBe(titles.indexOf('What others are buying') + 1)
})

test('rails wait for each other, so that none pushes another down, and their place is reserved', async () => {
  showEverything()
  queryClient.setQueryData(sessions.user.queryKey, null)
  mockServer({ ...catalogue(many.slice(0, 8)), [POPULAR]: 'never' })
  const { container } = await renderInShop(<HomePage />)
  const arrivals = await screen.findByRole('region', { name: 'New arrivals', hidden: true })
  expect(arrivals).not.toBeVisible()
  expect(container.querySelector('.rails-place')).toContainElement(arrivals)
  queryClient.setQueryData(wishlistQueries.popular.queryKey, many.slice(20, 23))
  await expect.poll(() => arrivals).toBeVisible()
  expect(container.querySelector('.rails-place')).toBeNull()
})

test.each([
  ['too few products', ok(many.slice(0, 2))],
  ['a server error', serverFailed],
])('%s: the home page has no rail of what others buy, and no message', async (_what, answer) => {
  showEverything()
  queryClient.setQueryData(sessions.user.queryKey, null)
  const requests = mockServer({ ...catalogue(many.slice(0, 8)), [POPULAR]: answer })
  await renderInShop(<HomePage />)
  await screen.findByRole('region', { name: 'New arrivals' })
  await expect.poll(() => calls(requests)).toContain(POPULAR)
  expect(screen.queryByRole('region', { name: 'What others are buying' })).toBeNull()
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('a visitor and a shopper without orders see no such list', async () => {
  showEverything()
  const server = { ...catalogue([aProduct()]), [LIST]: marked([]), 'GET /api/wishlist/buy_again': ok([]) }
  const requests = mockServer(server)
  const { unmount } = await renderInShop(<HomePage />)
  await expect.poll(() => calls(requests)).toContain('GET /api/wishlist/buy_again')
  await settled()
  expect(screen.queryByRole('region', { name: 'Buy again', hidden: true })).toBeNull()
  unmount()

  queryClient.clear()
  queryClient.setQueryData(sessions.user.queryKey, null)
  const later = mockServer(server)
  await renderInShop(<HomePage />)
  // The rail of earlier orders would ask before this one.
  await expect.poll(() => calls(later)).toContain(POPULAR)
  expect(calls(later)).not.toContain('GET /api/wishlist/buy_again')
})

const byIds = {
  'GET /api/product/get_products_by_ids': ({ query }: { query?: Record<string, string> }) =>
    ok(many.filter(({ id }) => query?.ids?.split(',').includes(id))),
}

test('the page Favourites shows all of them, 24 at a time', async () => {
  mockServer({ [LIST]: marked(many.map(({ id }) => id)), ...byIds })
  await renderInShop(<FavouritesPage />, { at: '/favourites' })
  expect(await screen.findByRole('heading', { name: '30 products' })).toBeInTheDocument()
  expect(screen.getAllByRole('article')).toHaveLength(24)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await expect.poll(() => screen.getAllByRole('article')).toHaveLength(30)
  expect(document.title).toBe('Favourites – Thunse')
})

test('a product stays on the page when its heart is pressed, so that it can be pressed again', async () => {
  const requests = mockServer({
    [LIST]: marked(['p-1']),
    ...byIds,
    'DELETE /api/wishlist/favourites/p-1': ok({}),
  })
  await renderInShop(<FavouritesPage />, { at: '/favourites' })
  const button = await screen.findByRole('button', { name: 'Favourite', description: 'Product 1' })
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => calls(requests)).toContain('DELETE /api/wishlist/favourites/p-1')
  expect(screen.getByRole('link', { name: 'Product 1' })).toBeInTheDocument()
})

test('without favourites the page says how to get some, and a visitor is asked to log in', async () => {
  mockServer({ [LIST]: marked([]), 'GET /api/user/isAuth': SIGNED_OUT })
  const { unmount } = await renderInShop(<FavouritesPage />, { at: '/favourites' })
  expect(await screen.findByRole('heading', { name: 'No favourites yet' })).toBeInTheDocument()
  unmount()

  queryClient.setQueryData(sessions.user.queryKey, null)
  await renderInShop(<FavouritesPage />, { at: '/favourites' })
  expect(screen.getByRole('heading', { name: 'Log in to see your favourites' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
})
