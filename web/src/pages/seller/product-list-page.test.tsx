import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { SellerProduct, SellerProductPage } from '@/features/catalogue/seller/products-api'
import { activateLang } from '@/lib/i18n'
import { ProductListPage } from '@/pages/seller/product-list-page'
import { aSellerCategory, aSellerPage, aSellerProduct } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'

const LIST = 'GET /api/product/get_seller_products'
const UPDATE = 'PUT /api/product/update_product/mustard-oil'
const DELETE = 'DELETE /api/product/delete_product/mustard-oil'
const CATEGORIES = 'GET /api/category/get_categories'
const NOT_REACHED = 'We could not reach the shop. Please try again in a moment.'
type Table = Parameters<typeof mockServer>[0]

const oil = aSellerProduct()
const tea = aSellerProduct({
  _id: 'p-tea',
  id: 'p-tea',
  slug: 'tea',
  name: 'Ilam Tea',
  nameNe: null,
  stock: 6,
})
const gone = aSellerProduct({ _id: 'p-x', id: 'p-x', slug: 'x', name: 'Sel Roti', nameNe: null, stock: 0 })

afterEach(() => activateLang('en'))

async function openList(table: Table = {}, { at = '/seller', products = [oil, tea, gone] } = {}) {
  const requests = mockServer({
    [LIST]: aSellerPage(products),
    [CATEGORIES]: ok([aSellerCategory()]),
    ...table,
  })
  const shop = await renderInShop(<ProductListPage />, { at })
  const lists = () =>
    requests.filter(({ path }) => path.endsWith('get_seller_products')).map(({ query }) => query)
  return { ...shop, requests, lists, user: userEvent.setup() }
}

const row = async (name: string) =>
  within((await screen.findByRole('rowheader', { name: new RegExp(name) })).closest('tr') as HTMLElement)
const formOf = (form: FormData) => Object.fromEntries(form.entries())

describe('the list', () => {
  test('shows every product with price, stock and its badge', async () => {
    await openList()
    const shown = await row('Mustard Oil')
    expect(
      shown.getByRole('button', { name: /^Rs\. 320 ?, change the price of Mustard Oil/ }),
    ).toBeInTheDocument()
    for (const [name, badge] of [
      ['Mustard Oil', 'in stock'],
      ['Ilam Tea', 'low'],
      ['Sel Roti', 'Out of stock'],
    ] as const)
      expect((await row(name)).getByTestId('stock-badge')).toHaveTextContent(new RegExp(`^${badge}$`))
    expect(screen.getByRole('table', { name: 'Shop products' })).toBeInTheDocument()
    expect(screen.getByTestId('count')).toHaveTextContent('3 products')
    expect(screen.getByRole('link', { name: 'Add New Product' })).toHaveAttribute(
      'href',
      '/seller/add_product',
    )
    expect(screen.getByRole('link', { name: 'Import' })).toHaveAttribute('href', '/seller/import')
  })

  test.each([
    [11, 'in stock'],
    [10, 'low'],
    [1, 'low'],
    [0, 'Out of stock'],
  ])('%s is %s', async (stock, word) => {
    await openList({}, { products: [aSellerProduct({ stock })] })
    expect((await row('Mustard Oil')).getByTestId('stock-badge')).toHaveTextContent(new RegExp(`^${word}$`))
  })

  test('eight rows wait', async () => {
    await openList({ [LIST]: 'never' })
    expect(screen.getAllByTestId('row-skeleton')).toHaveLength(8)
  })

  test('a list that fails says so and can be tried again', async () => {
    let answer: Table[string] = serverFailed
    const { user } = await openList({ [LIST]: () => answer as never })
    expect(await screen.findByTestId('toast')).toHaveTextContent('Error fetching products.')
    expect(screen.getByText('We could not load the products.')).toBeInTheDocument()
    answer = aSellerPage([oil])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Mustard Oil')).toBeInTheDocument()
  })

  test('a refused list has its own words; an ended session shows the door', async () => {
    let answer = refused(422, 'x', '')
    const { user } = await openList({ [LIST]: () => answer })
    expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to fetch products.')
    queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
    answer = refused(401, 'signed_out', '')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
  })

  test('the next page comes at the press of a button', async () => {
    const { user, lists } = await openList({
      [LIST]: ({ query }) =>
        query?.cursor ? aSellerPage([tea]) : aSellerPage([oil], { nextCursor: 'c2', total: 2 }),
    })
    await user.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('Ilam Tea')).toBeInTheDocument()
    expect(screen.getByText('Mustard Oil')).toBeInTheDocument()
    expect(lists().at(-1)).toMatchObject({ cursor: 'c2', limit: '50' })
  })

  test('in Nepali everything is in Nepali', async () => {
    await openList()
    await row('Mustard Oil')
    await activateLang('ne')
    expect(await screen.findByRole('rowheader', { name: /तोरीको तेल/ })).toBeInTheDocument()
    expect(screen.getAllByRole('button', { name: /^रु\. ३२०/ })).toHaveLength(3)
    expect(screen.getAllByTestId('stock-badge')[0]).toHaveTextContent('स्टकमा छ')
  })
})

describe('finding', () => {
  test('a search is stored in the address, and its count is announced', async () => {
    const { user, address, lists } = await openList({
      [LIST]: ({ query }) => (query?.search ? aSellerPage([oil]) : aSellerPage([oil, tea])),
    })
    await row('Ilam Tea')
    holdTime()
    await user.type(screen.getByRole('searchbox', { name: 'Search by name or category' }), 'OIL')
    await pass(250)
    await waitFor(() => expect(screen.queryByText('Ilam Tea')).toBeNull())
    expect(address()).toContain('search=OIL')
    expect(lists().at(-1)).toMatchObject({ search: 'OIL' })
    expect(lists().filter((query) => query?.search)).toHaveLength(1)
    await waitFor(() => expect(screen.getByTestId('count')).toHaveTextContent('1 product'))
  })

  test('without a match the search can be cleared', async () => {
    const { user, address } = await openList(
      { [LIST]: ({ query }) => (query?.search ? aSellerPage([], { total: 0 }) : aSellerPage([oil])) },
      { at: '/seller?search=zzz' },
    )
    expect(await screen.findByRole('heading', { name: 'No products match "zzz"' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Clear search', hidden: false }))
    expect(await screen.findByText('Mustard Oil')).toBeInTheDocument()
    await waitFor(() => expect(address()).toBe('/seller'))
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })

  test('a shop without products offers to add one', async () => {
    await openList({}, { products: [] })
    expect(await screen.findByRole('heading', { name: 'No products yet' })).toBeInTheDocument()
    expect(screen.getAllByRole('link', { name: 'Add New Product' })).toHaveLength(2)
  })

  test('the chips carry the counts of the shop; what is low comes by how little is left', async () => {
    const { user, lists, address } = await openList({
      [LIST]: ({ query }) =>
        query?.stock === 'out'
          ? aSellerPage([], { total: 0 })
          : aSellerPage([tea], { counts: { all: 120, low: 7, out: 0 } }),
    })
    const chips = within(screen.getByRole('navigation', { name: 'Filter by stock' }))
    expect(await chips.findByRole('button', { name: 'All 120' })).toHaveAttribute('aria-current', 'true')
    await user.click(chips.getByRole('button', { name: 'Low stock 7' }))
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ stock: 'low', sort: 'stock' }))
    expect(address()).toBe('/seller?stock=low')
    expect(await screen.findByRole('columnheader', { name: 'Stock' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    )
    await user.click(chips.getByRole('button', { name: /^Out of stock/ }))
    expect(await screen.findByRole('heading', { name: 'Nothing is out of stock' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Show all products' }))
    await waitFor(() => expect(address()).toBe('/seller'))
  })

  test('columns sort on the server and say so', async () => {
    const { user, lists } = await openList()
    const price = await screen.findByRole('columnheader', { name: 'Price' })
    expect(price).toHaveAttribute('aria-sort', 'none')
    await user.click(within(price).getByRole('button'))
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ sort: 'price_asc' }))
    await waitFor(() =>
      expect(screen.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending'),
    )
    await user.click(screen.getByRole('button', { name: 'Price' }))
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ sort: 'price_desc' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Name')
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ sort: 'name' }))
    // All products cannot be sorted by stock.
    expect(within(screen.getByRole('columnheader', { name: 'Stock' })).queryByRole('button')).toBeNull()
  })
})

describe('a value in its place', () => {
  type Opened = Awaited<ReturnType<typeof openList>>
  const open = async (opened: Opened, what: 'price' | 'stock') => {
    const button = (await row('Mustard Oil')).getByRole('button', { name: new RegExp(`change the ${what}`) })
    await opened.user.click(button)
    return screen.getByRole('textbox', { name: /^New/ })
  }
  const saved = ({ requests }: Opened) =>
    requests.filter(({ method }) => method === 'PUT').map(({ body }) => formOf(body as FormData))
  /** Saves an 8. Whatever was sent before has arrived before it. */
  const saveAnother = async (opened: Opened, field: HTMLElement, what: 'price' | 'stock' = 'price') => {
    await opened.user.clear(field)
    await opened.user.type(field, '8{Enter}')
    await waitFor(() => expect(saved(opened).at(-1)).toMatchObject({ [what]: '8' }))
  }

  test('Enter saves the price with the version it was seen at', async () => {
    const opened = await openList({ [UPDATE]: ok({ ...oil, price: 335.5, version: 'v2' }) })
    const field = await open(opened, 'price')
    expect(field).toHaveFocus()
    await opened.user.clear(field)
    await opened.user.type(field, '३३५.५{Enter}')
    const value = await (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 335\.50/ })
    await waitFor(() => expect(value).toHaveFocus())
    expect(formOf(lastFormData(opened.requests))).toEqual({ price: '335.5', version: 'v1' })
    expect(screen.getByTestId('toast')).toHaveTextContent('Product updated successfully!')
  })

  test('Escape restores; nothing is sent', async () => {
    const opened = await openList()
    const field = await open(opened, 'price')
    await opened.user.clear(field)
    await opened.user.type(field, '9{Escape}')
    expect((await row('Mustard Oil')).getByRole('button', { name: /^Rs\. 320/ })).toHaveFocus()
    await saveAnother(opened, await open(opened, 'price'))
    expect(saved(opened)).toHaveLength(1)
  })

  test('the stock is sent with what it was, and the chips follow', async () => {
    const opened = await openList({ [UPDATE]: ok({ ...oil, stock: 8 }) })
    const field = await open(opened, 'stock')
    await opened.user.clear(field)
    await opened.user.type(field, '8{Enter}')
    await waitFor(async () =>
      expect((await row('Mustard Oil')).getByTestId('stock-badge')).toHaveTextContent('low'),
    )
    expect(formOf(lastFormData(opened.requests))).toEqual({ stock: '8', stockWas: '42' })
    expect(screen.getByRole('button', { name: 'Low stock 2' })).toBeInTheDocument()
  })

  test('what was sold meanwhile is told', async () => {
    const opened = await openList({ [UPDATE]: ok({ ...oil, stock: 48 }) })
    const field = await open(opened, 'stock')
    await opened.user.clear(field)
    await opened.user.type(field, '50{Enter}')
    expect(await screen.findByTestId('toast')).toHaveTextContent('the stock is now 48')
  })

  test('somebody else’s price is shown in place, and mine can still be set', async () => {
    const fresh = { ...oil, price: 350, version: 'v2' }
    let answer = refused(409, 'product_changed', 'x', fresh)
    const opened = await openList({ [UPDATE]: () => answer })
    const field = await open(opened, 'price')
    await opened.user.clear(field)
    await opened.user.type(field, '330{Enter}')
    expect(await screen.findByText(/The price is now Rs\. 350\./)).toBeInTheDocument()
    expect(field).toHaveValue('330')
    expect(field).toBeInvalid()
    answer = ok({ ...fresh, price: 330, version: 'v3' }) as typeof answer
    await opened.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 330/ })).toBeInTheDocument()
    expect(formOf(lastFormData(opened.requests))).toEqual({ price: '330', version: 'v2' })
  })

  test('a stock that cannot be taken off any more is shown in place', async () => {
    const opened = await openList({ [UPDATE]: refused(409, 'stock_changed', 'x', { ...oil, stock: 3 }) })
    const field = await open(opened, 'stock')
    await opened.user.clear(field)
    await opened.user.type(field, '1{Enter}')
    expect(await screen.findByText(/there are now 3/)).toBeInTheDocument()
  })

  const askedAgain = () =>
    act(async () => {
      await queryClient.invalidateQueries({ queryKey: ['seller', 'products'] })
    })

  test('opened and left as it was, it undoes nothing that came meanwhile', async () => {
    let now = oil
    const opened = await openList({ [LIST]: () => aSellerPage([now]) })
    await open(opened, 'price')
    now = { ...oil, price: 350, version: 'v2' }
    await askedAgain()
    await opened.user.keyboard('{Enter}')
    expect(await (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 350/ })).toBeInTheDocument()
    await saveAnother(opened, await open(opened, 'price'))
    expect(saved(opened)).toHaveLength(1)
  })

  test.each([
    ['price', '330', { price: '330', version: 'v1' }],
    ['stock', '47', { stock: '47', stockWas: '42' }],
  ] as const)(
    'the %s is sent with what was seen on opening, not with what came meanwhile',
    async (what, typed, sent) => {
      let now = oil
      const opened = await openList({ [LIST]: () => aSellerPage([now]), [UPDATE]: ok(oil) })
      const field = await open(opened, what)
      await opened.user.clear(field)
      await opened.user.type(field, typed)
      now = { ...oil, price: 350, stock: 35, version: 'v2' }
      await askedAgain()
      await opened.user.keyboard('{Enter}')
      await screen.findByTestId('toast')
      expect(formOf(opened.requests.find(({ method }) => method === 'PUT')?.body as FormData)).toEqual(sent)
    },
  )

  test('a new name or stock does not stand in the way of a price', async () => {
    let now = oil
    const opened = await openList({ [LIST]: () => aSellerPage([now]), [UPDATE]: ok(oil) })
    const field = await open(opened, 'price')
    now = { ...oil, stock: 35, version: 'v2' }
    await askedAgain()
    await opened.user.clear(field)
    await opened.user.type(field, '330{Enter}')
    await screen.findByTestId('toast')
    expect(formOf(lastFormData(opened.requests))).toEqual({ price: '330', version: 'v2' })
  })

  test.each([
    ['saved', ok({ ...oil, price: 5 })],
    ['refused', refused(409, 'other', 'Not now, please.')],
  ])('%s: whoever has gone on meanwhile is not fetched back', async (_what, answer) => {
    const opened = await openList({ [UPDATE]: answer })
    const field = await open(opened, 'price')
    await opened.user.clear(field)
    await opened.user.type(field, '5')
    holdTime()
    field.closest('form')?.requestSubmit()
    act(() => screen.getByRole('searchbox').focus())
    await waitFor(() => expect(opened.requests.at(-1)?.method).toBe('PUT'))
    await (answer.status
      ? screen.findByText('Not now, please.')
      : (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 5/ }))
    await pass(20)
    expect(screen.getByRole('searchbox')).toHaveFocus()
  })

  test('a list that was on its way before the save does not come over it', async () => {
    let now = oil
    const opened = await openList({
      [LIST]: () => aSellerPage([now]),
      [UPDATE]: () => {
        // Another seller changes the price once more.
        now = { ...oil, price: 6, version: 'v3' }
        return ok({ ...oil, price: 5, version: 'v2' })
      },
    })
    const field = await open(opened, 'price')
    const real = globalThis.fetch
    const held: { request: Request; free: () => void }[] = []
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await real(request)
      await new Promise<void>((free) => held.push({ request, free }))
      return answer
    })
    void queryClient.invalidateQueries({ queryKey: ['seller', 'products'] })
    await waitFor(() => expect(held).toHaveLength(1))
    await opened.user.clear(field)
    await opened.user.type(field, '5{Enter}')
    await (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 5/ })
    // The list is requested again instead.
    await waitFor(() => expect(held).toHaveLength(2))
    expect(held.map(({ request }) => request.signal.aborted)).toEqual([true, false])
    for (const { free } of held) free()
    expect(await (await row('Mustard Oil')).findByRole('button', { name: /^Rs\. 6/ })).toBeInTheDocument()
  })

  test.each([
    ['price', 'x', 'Enter a price of 0 or more, with at most 2 decimals'],
    ['stock', '1.5', 'Enter a whole number, 0 or more'],
  ] as const)('%s "%s" is not sent', async (what, typed, text) => {
    const opened = await openList()
    const field = await open(opened, what)
    await opened.user.clear(field)
    await opened.user.type(field, `${typed}{Enter}`)
    expect(await screen.findByText(text)).toBeInTheDocument()
    await saveAnother(opened, field, what)
    expect(saved(opened)).toHaveLength(1)
  })

  test('without a network nothing can be changed', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await openList()
    const shown = await row('Mustard Oil')
    for (const button of shown.getAllByRole('button')) {
      expect(button).toBeDisabled()
      expect(button).toHaveAttribute('title', 'You are offline. This needs a connection.')
    }
    vi.restoreAllMocks()
  })
})

describe('editing', () => {
  async function edit(table: Table = {}) {
    const opened = await openList(table)
    await opened.user.click(await screen.findByRole('button', { name: 'Edit Mustard Oil' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit product' }))
    await dialog.findByRole('option', { name: 'Oil & Ghee' })
    return { ...opened, dialog, save: () => opened.user.click(dialog.getByRole('button', { name: 'Save' })) }
  }
  const retype = async (user: ReturnType<typeof userEvent.setup>, field: HTMLElement, text: string) => {
    await user.clear(field)
    await user.type(field, text)
  }

  test('shows what is there; saves what was changed; the row shows it and has the focus back', async () => {
    const { user, dialog, requests, save } = await edit({
      [UPDATE]: ok({ ...oil, price: 340, version: 'v2' }),
    })
    expect(dialog.getByLabelText(/^Name \(required\)/)).toHaveValue('Mustard Oil')
    expect(dialog.getByLabelText(/^Category/)).toHaveValue('Oil & Ghee')
    expect(dialog.getByLabelText(/^Rating/)).toHaveValue(4.6)
    expect(dialog.getByRole('button', { name: 'Remove staple' })).toBeInTheDocument()
    await retype(user, dialog.getByLabelText(/^Price/), '340')
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(formOf(lastFormData(requests))).toEqual({ price: '340', version: 'v1' })
    expect(screen.getByTestId('toast')).toHaveTextContent('Product updated successfully!')
    expect((await row('Mustard Oil')).getByRole('button', { name: /^Rs\. 340/ })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Edit Mustard Oil' })).toHaveFocus()
    expect(screen.getByRole('rowheader', { name: /Mustard/ }).closest('tr')).toHaveAttribute('data-flash')
  })

  // spec: 5.product.4, 9.const.18
  test.each(['5.1', '-0.1', '4.65'])('the rating %s is blocked', async (rating) => {
    const { user, dialog, requests, save } = await edit()
    await retype(user, dialog.getByLabelText(/^Rating/), rating)
    await save()
    expect(dialog.getAllByText('The rating must be from 0 to 5, in steps of 0.1')).toHaveLength(2)
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  // spec: 5.product.4, 9.const.18
  test.each(['0', '4.5', '5'])('the rating %s is allowed', async (rating) => {
    const { user, dialog, requests, save } = await edit({ [UPDATE]: ok(oil) })
    await retype(user, dialog.getByLabelText(/^Rating/), rating)
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(formOf(lastFormData(requests))).toMatchObject({ rating })
  })

  // spec: 8.seller.6, 8.seller.7, 8.seller.8
  test.each([
    ['401', refused(401, 'signed_out', 'Please log in again.'), 'Please log in again.'],
    ['500', serverFailed, 'Internal server error. Please try again later.'],
    ['503', refused(503, 'busy', 'x'), NOT_REACHED],
    ['404', refused(404, 'product_not_found', 'Product not found'), 'Product not found'],
    ['409', refused(409, 'other', 'Not now, please.'), 'Not now, please.'],
    ['no answer', 'no network' as const, 'No response from server. Please try again.'],
  ])('%s: said in a toast and in the form, which stays', async (_what, answer, text) => {
    const { user, dialog, save } = await edit({ [UPDATE]: answer })
    await retype(user, dialog.getByLabelText(/^Price/), '340')
    await save()
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(screen.getAllByText(text).length).toBeGreaterThan(1)
    expect(dialog.getByLabelText(/^Price/)).toHaveValue(340)
  })

  test('what the server says of a field stands at the field', async () => {
    const { user, dialog, save } = await edit({
      [UPDATE]: refused(422, 'field_invalid', 'Prices end at a million.', { field: 'price' }),
    })
    await retype(user, dialog.getByLabelText(/^Price/), '340')
    await save()
    await waitFor(() => expect(dialog.getByLabelText(/^Price/)).toBeInvalid())
    expect(dialog.getByLabelText(/^Price/)).toHaveAccessibleDescription('Prices end at a million.')
  })

  test('somebody else changed it: theirs is shown; keeping mine sends it with the fresh version', async () => {
    const fresh: SellerProduct = { ...oil, price: 350, description: 'Pressed anew.', version: 'v2' }
    let answer = refused(409, 'product_changed', 'x', fresh)
    const { user, dialog, requests, save } = await edit({ [UPDATE]: () => answer })
    await retype(user, dialog.getByLabelText(/^Price/), '330')
    await save()
    const conflict = within(await dialog.findByTestId('conflict'))
    expect(
      conflict.getByText('Someone else has changed this product since you opened it.'),
    ).toBeInTheDocument()
    expect(conflict.getByText(/Price/).closest('li')).toHaveTextContent(
      '320 → becomes 350 (you changed it too)',
    )
    expect(conflict.getByText(/Description/).closest('li')).toHaveTextContent(
      'Cold pressed. → becomes Pressed anew.',
    )
    answer = ok({ ...fresh, price: 330, version: 'v3' }) as typeof answer
    await user.click(conflict.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(formOf(lastFormData(requests))).toEqual({ price: '330', version: 'v2' })
  })

  test('using theirs fills the form with it and sends nothing', async () => {
    const fresh: SellerProduct = { ...oil, price: 350, version: 'v2' }
    const { user, dialog, requests, save } = await edit({
      [UPDATE]: refused(409, 'product_changed', 'x', fresh),
    })
    await retype(user, dialog.getByLabelText(/^Price/), '330')
    await retype(user, dialog.getByLabelText(/^Reviews/), '40')
    await save()
    await user.click(await dialog.findByRole('button', { name: 'Use theirs' }))
    expect(dialog.getByLabelText(/^Price/)).toHaveValue(350)
    expect(dialog.getByLabelText(/^Reviews/)).toHaveValue(40)
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test.each([
    ['Use theirs', 1],
    ['Keep mine', 0],
  ])('both changed the picture: %s', async (choice, left) => {
    const fresh: SellerProduct = { ...oil, image: '/media/other.jpg', version: 'v2' }
    let answer = refused(409, 'product_changed', 'x', fresh)
    const { user, dialog, requests, save } = await edit({
      [LIST]: aSellerPage([{ ...oil, image: '/media/oil.jpg' }]),
      [UPDATE]: () => answer,
    })
    await user.upload(
      dialog.getByLabelText(/^Product image/),
      new File(['x'], 'mine.png', { type: 'image/png' }),
    )
    await save()
    const conflict = within(await dialog.findByTestId('conflict'))
    expect(conflict.getByText(/Product image/).closest('li')).toHaveTextContent(
      'an image → becomes another image (you changed it too)',
    )
    answer = ok(fresh) as typeof answer
    await user.click(conflict.getByRole('button', { name: choice }))
    if (left) await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([...lastFormData(requests).keys()]).toEqual(left ? ['version'] : ['version', 'image'])
  })

  test.each([
    ['Use theirs', ['version']],
    ['Keep mine', ['version', 'moreImages']],
  ])('both changed the further images: %s', async (choice, sent) => {
    const image = (key: string) => ({ key, image: `/media/${key}/320.webp`, imageSet: '' })
    const before = { ...oil, moreImages: [image('aa-320'), image('bb-320')] }
    const fresh: SellerProduct = { ...oil, moreImages: [image('bb-320')], version: 'v2' }
    let answer = refused(409, 'product_changed', 'x', fresh)
    const { user, dialog, requests, save } = await edit({
      [LIST]: aSellerPage([before]),
      [UPDATE]: () => answer,
    })
    await user.click(await dialog.findByRole('button', { name: 'Move image 1 back' }))
    await save()
    expect(lastFormData(requests).get('moreImages')).toBe('bb-320,aa-320')
    const conflict = within(await dialog.findByTestId('conflict'))
    expect(conflict.getByText(/More images/).closest('li')).toHaveTextContent(
      '2 → becomes 1 (you changed it too)',
    )
    answer = ok(fresh) as typeof answer
    await user.click(conflict.getByRole('button', { name: choice }))
    if (choice === 'Use theirs') {
      expect(dialog.getAllByRole('button', { name: /^Remove image \d/ })).toHaveLength(1)
      await save()
    }
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([...lastFormData(requests).keys()]).toEqual(sent)
  })

  describe('another main image', () => {
    const image = (key: string) => ({ key, image: `/media/${key}/320.webp`, imageSet: '' })
    const pictured = (...keys: string[]) => ({
      ...oil,
      ...image('main-320'),
      moreImages: keys.map(image),
    })
    const order = (dialog: { getAllByRole: typeof screen.getAllByRole }) =>
      dialog.getAllByRole('img', { name: /^Image \d|preview/ }).map((shown) => shown.getAttribute('src'))

    test('a further image becomes the main one, which takes its place', async () => {
      const { user, dialog, requests, save } = await edit({
        [LIST]: aSellerPage([pictured('aa-320', 'bb-320')]),
        [UPDATE]: ok(oil),
      })
      await user.click(await dialog.findByRole('button', { name: 'Make main: Image 2' }))
      expect(dialog.getByLabelText(/^Product image/)).toHaveFocus()
      expect(order(dialog)).toEqual(['bb', 'aa', 'main'].map((key) => `/media/${key}-320/320.webp`))
      await save()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(formOf(lastFormData(requests))).toEqual({
        moreImages: 'bb-320,aa-320,main-320',
        removeImage: 'true',
        version: 'v1',
      })
    })

    test('a new file for the main image counts more, and goes among the others if one of them is chosen', async () => {
      const { user, dialog, requests, save } = await edit({
        [LIST]: aSellerPage([pictured('aa-320')]),
        'POST /api/product/upload_picture': ok(image('new-320')),
        [UPDATE]: ok(oil),
      })
      const makeMain = async () =>
        user.click(await dialog.findByRole('button', { name: 'Make main: Image 1' }))
      await makeMain()
      const file = new File(['x'], 'new.jpg', { type: 'image/jpeg' })
      await user.upload(dialog.getByLabelText(/^Product image/), file)
      expect(dialog.queryByRole('img', { name: /preview/ })).not.toHaveAttribute('src', /aa-320/)
      await makeMain()
      await waitFor(() =>
        expect(order(dialog)).toEqual(['/media/main-320/320.webp', '/media/new-320/320.webp']),
      )
      await save()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(lastFormData(requests).get('moreImages')).toBe('main-320,new-320')
      expect(lastFormData(requests).get('image')).toBeNull()
    })

    test('with eight images one must be removed first', async () => {
      const { user, dialog } = await edit({
        [LIST]: aSellerPage([pictured(...Array.from('abcdefg', (name) => `${name}-320`))]),
      })
      expect(await dialog.findByText(/To make another image the main one/)).toBeInTheDocument()
      expect(dialog.queryByRole('button', { name: /^Make main/ })).toBeNull()
      await user.click(dialog.getByRole('button', { name: 'Remove image 7' }))
      expect(dialog.getAllByRole('button', { name: /^Make main/ })).toHaveLength(6)
    })

    test('a conflict about the main image: theirs', async () => {
      const before = pictured('aa-320')
      const fresh: SellerProduct = { ...before, ...image('other-320'), version: 'v2' }
      const { user, dialog, save } = await edit({
        [LIST]: aSellerPage([before]),
        [UPDATE]: refused(409, 'product_changed', 'x', fresh),
      })
      await user.click(await dialog.findByRole('button', { name: 'Make main: Image 1' }))
      await save()
      const conflict = within(await dialog.findByTestId('conflict'))
      expect(conflict.getByText(/Product image/).closest('li')).toHaveTextContent('you changed it too')
      await user.click(conflict.getByRole('button', { name: 'Use theirs' }))
      await waitFor(() => expect(order(dialog)).toEqual(['/media/aa-320/320.webp']))
    })
  })

  test('while it is not decided whose stands, Save leads to the question', async () => {
    const fresh: SellerProduct = { ...oil, price: 350, version: 'v2' }
    const { user, dialog, requests, save } = await edit({
      [UPDATE]: refused(409, 'product_changed', 'x', fresh),
    })
    await retype(user, dialog.getByLabelText(/^Price/), '330')
    await save()
    const conflict = await dialog.findByTestId('conflict')
    act(() => dialog.getByLabelText(/^Price/).focus())
    await save()
    expect(conflict).toHaveFocus()
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('pieces put in count from what is there now, and that is told', async () => {
    const fresh: SellerProduct = { ...oil, price: 350, stock: 40, version: 'v2' }
    let answer = refused(409, 'product_changed', 'x', fresh)
    const { user, dialog, requests, save } = await edit({ [UPDATE]: () => answer })
    await retype(user, dialog.getByLabelText(/^Name \(required\)/), 'Oil')
    await retype(user, dialog.getByLabelText(/^Stock/), '47')
    await save()
    answer = ok({ ...fresh, name: 'Oil', stock: 45 }) as typeof answer
    await user.click(await dialog.findByRole('button', { name: 'Keep mine' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent('the stock is now 45')
    expect(formOf(lastFormData(requests))).toEqual({
      name: 'Oil',
      stock: '45',
      stockWas: '40',
      version: 'v2',
    })
  })

  test('a rating that cannot be read is told as a rating', async () => {
    const { user, dialog, requests, save } = await edit()
    const rating = dialog.getByLabelText(/^Rating/) as HTMLInputElement
    await user.clear(rating)
    vi.spyOn(rating, 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState)
    await save()
    expect(dialog.getAllByText('The rating must be from 0 to 5, in steps of 0.1')).toHaveLength(2)
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('stock that was sold meanwhile is told at the field, and the next try starts from there', async () => {
    let answer = refused(409, 'stock_changed', 'x', { ...oil, stock: 3 })
    const { user, dialog, requests, save } = await edit({ [UPDATE]: () => answer })
    await retype(user, dialog.getByLabelText(/^Stock/), '1')
    await save()
    await waitFor(() => expect(dialog.getByLabelText(/^Stock/)).toBeInvalid())
    expect(dialog.getByLabelText(/^Stock/)).toHaveAccessibleDescription(/there are now 3/)
    answer = ok({ ...oil, stock: 1 }) as typeof answer
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(formOf(lastFormData(requests))).toEqual({ stock: '1', stockWas: '3' })
  })

  test('closing with changes asks first', async () => {
    const { user, dialog } = await edit()
    await user.type(dialog.getByLabelText(/^Name \(required\)/), '!')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    const question = within(screen.getByRole('dialog', { name: 'Close without saving?' }))
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    expect(dialog.getByLabelText(/^Name \(required\)/)).toHaveValue('Mustard Oil!')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await user.click(
      within(screen.getByRole('dialog', { name: 'Close without saving?' })).getByRole('button', {
        name: 'Discard changes',
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('so does leaving the page', async () => {
    const { user, dialog, router, address } = await edit()
    await user.type(dialog.getByLabelText(/^Name \(required\)/), '!')
    void router.navigate({ to: '/seller/orders' as never })
    const stay = await screen.findByRole('button', { name: 'Keep editing' })
    await user.click(stay)
    expect(address()).toBe('/seller')
    expect(dialog.getByLabelText(/^Name \(required\)/)).toHaveValue('Mustard Oil!')
    void router.navigate({ to: '/seller/orders' as never })
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(address()).toBe('/seller/orders'))
  })

  test('a picture is shown before it is sent, and can be taken off', async () => {
    const { user, dialog, requests, save } = await edit({ [UPDATE]: ok(oil) })
    const picker = dialog.getByLabelText(/^Product image/)
    await user.upload(picker, new File(['x'], 'oil.png', { type: 'image/png' }))
    expect(dialog.getByAltText('Product image preview')).toBeInTheDocument()
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((lastFormData(requests).get('image') as File).name).toBe('oil.png')
  })
})

describe('deleting', () => {
  async function remove(answer: Table[string], products = [oil, tea]) {
    const opened = await openList({ [DELETE]: answer }, { products })
    await opened.user.click(await screen.findByRole('button', { name: 'Delete Mustard Oil' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete product?' }))
    return { ...opened, dialog }
  }

  test('names the product, and Cancel has the focus and does nothing', async () => {
    const { user, dialog, requests } = await remove(ok({}))
    expect(
      dialog.getByText('"Mustard Oil" will be removed from the shop. This cannot be undone.'),
    ).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Delete Mustard Oil' }))
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await screen.findByTestId('toast')
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  test('cannot be called off while it runs', async () => {
    const { user, dialog } = await remove('never')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Delete product?' })).toBeInTheDocument()
  })

  test('takes the row away; the next one has the focus', async () => {
    const { user, dialog } = await remove(ok({}))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent('Product deleted successfully!')
    expect(screen.queryByText('Mustard Oil')).toBeNull()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Ilam Tea' })).toHaveFocus())
    expect(screen.getByTestId('count')).toHaveTextContent('1 product')
  })

  // spec: 8.seller.9, 8.seller.10, 8.seller.11
  test.each([
    [refused(401, 'signed_out', 'Please log in again.'), 'Please log in again.'],
    [serverFailed, 'Internal server error. Please try again later.'],
    [refused(503, 'busy', 'x'), NOT_REACHED],
    [refused(404, 'product_not_found', 'Product not found'), 'Product not found'],
    ['no network' as const, 'No response from server. Please try again.'],
  ])('what does not work is told', async (answer, text) => {
    const { user, dialog } = await remove(answer)
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(dialog.getAllByText(text)).toHaveLength(2)
  })
})

describe('the spreadsheet', () => {
  test.each([
    [refused(401, 'x', 'Please log in again.'), 'Please log in again.'],
    [serverFailed, 'Internal server error. Please try again later.'],
  ])('is fetched; a failure is explained, and no file is saved', async (answer, text) => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click')
    const { user } = await openList({ 'GET /api/product/export_products.csv': answer })
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(saved).not.toHaveBeenCalled()
    saved.mockRestore()
  })
})

test('more than can be counted is shown as such', async () => {
  const many: Partial<SellerProductPage> = { total: 10_000, totalCapped: true }
  await openList({ [LIST]: aSellerPage([oil], many) })
  expect(await screen.findByText('10,000+ products')).toBeInTheDocument()
})
