import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { AddProductPage } from '@/pages/seller/add-product-page'
import { aSellerCategory, aSellerPage, aSellerProduct } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'
import { settled } from '@/test/settled'
import { toast } from '@/ui/toast'

const LIST = 'GET /api/product/get_seller_products'
const CATEGORIES = 'GET /api/category/get_categories'
const ADD = 'POST /api/product/add_product'
const UPLOAD = 'POST /api/product/upload_picture'
type Table = Parameters<typeof mockServer>[0]

async function openForm(table: Table = {}) {
  const requests = mockServer({
    [LIST]: aSellerPage([]),
    [CATEGORIES]: ok([aSellerCategory(), aSellerCategory({ _id: 'c-2', slug: 'tea', name: 'Tea' })]),
    ...table,
  })
  const shop = await renderInShop(<AddProductPage />, { at: '/seller/add_product' })
  const sent = () => requests.filter(({ method }) => method === 'POST')
  return { ...shop, requests, sent, user: userEvent.setup() }
}

const field = (label: RegExp) => screen.getByLabelText(label)
const NAME = /^Name \(required\)/

async function fill(user: ReturnType<typeof userEvent.setup>, changes: { rating?: string } = {}) {
  await screen.findByRole('option', { name: 'Tea' })
  await user.type(field(NAME), 'Ilam Tea')
  await user.type(field(/^Description \(required\)/), 'From the hills.')
  await user.selectOptions(field(/^Category/), 'Tea')
  await user.type(field(/^Price/), '180')
  if (changes.rating) await user.type(field(/^Rating/), changes.rating)
}
const submit = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Add product' }))

// spec: 2.sadd.1, 2.sadd.2, 2.sadd.3, 5.product.5
test('has every field, with its hint and its limits', async () => {
  await openForm()
  expect(field(/^Product image/)).toHaveAccessibleDescription('PNG, JPG, GIF up to 10MB')
  expect(field(/^Product image/)).toHaveAttribute('accept', expect.stringMatching(/^image\//))
  for (const label of [NAME, /^Description \(required\)/, /^Category/, /^Price/])
    expect(field(label)).toBeRequired()
  expect(field(/^Rating/)).toHaveAttribute('min', '1')
  expect(field(/^Rating/)).toHaveAttribute('max', '5')
  expect(field(/^Rating/)).toHaveAttribute('step', '0.1')
  for (const label of [/^Reviews count/, /^Tags \(/, /^Stock quantity/])
    expect(field(label)).toBeInTheDocument()
  await screen.findByRole('option', { name: 'Tea' })
  expect(
    within(field(/^Category/))
      .getAllByRole('option')
      .map((each) => each.textContent),
  ).toEqual(['Choose a category', 'Oil & Ghee', 'Tea'])
})

// spec: 5.product.1
test('what is missing is named, and nothing is sent', async () => {
  const { user, sent } = await openForm()
  await submit(user)
  const summary = screen.getByRole('alert', { name: 'There is a problem' })
  expect(summary).toHaveFocus()
  for (const text of ['Enter a name', 'Enter a description', 'Choose a category', 'Enter a price'])
    expect(within(summary).getByRole('link', { name: text })).toBeInTheDocument()
  await user.click(within(summary).getByRole('link', { name: 'Enter a price' }))
  expect(field(/^Price/)).toHaveFocus()
  expect(sent()).toEqual([])
})

// spec: 2.sadd.3, 5.product.2, 9.const.17
test.each(['0.9', '5.1', '4.65'])('the rating %s is blocked', async (rating) => {
  const { user, sent } = await openForm()
  await fill(user, { rating })
  await submit(user)
  expect(field(/^Rating/)).toBeInvalid()
  expect(sent()).toEqual([])
})

// spec: 2.sadd.3, 5.product.2, 5.product.3, 9.const.17
test.each(['1', '5', '4.6', ''])(
  'the rating %j is sent, and all but four fields may stay empty',
  async (rating) => {
    const { user, requests } = await openForm({ [ADD]: ok(aSellerProduct()) })
    await fill(user, { rating })
    await submit(user)
    expect(await screen.findByTestId('toast')).toHaveTextContent('Product added successfully!')
    const form = lastFormData(requests.filter(({ method }) => method === 'POST'))
    expect(Object.fromEntries(form.entries())).toMatchObject({ rating, reviews: '', tags: '', stock: '' })
  },
)

// spec: 2.sadd.4, 8.success.9
test('a product goes out with its tags, and the form is ready for the next one', async () => {
  const tea = aSellerProduct({ name: 'Ilam Tea' })
  const { user, requests } = await openForm({ [ADD]: ok(tea) })
  await fill(user, { rating: '4.6' })
  await user.type(field(/^Tags \(/), 'new, local{Enter}')
  expect(screen.getByRole('button', { name: 'Remove new' })).toBeInTheDocument()
  await submit(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Product added successfully!')
  const form = lastFormData(requests.filter(({ method }) => method === 'POST'))
  expect(Object.fromEntries(form.entries())).toEqual({
    name: 'Ilam Tea',
    description: 'From the hills.',
    category: 'Tea',
    price: '180',
    rating: '4.6',
    reviews: '',
    tags: 'new, local',
    stock: '',
  })
  await waitFor(() => expect(field(NAME)).toHaveFocus())
  expect(field(NAME)).toHaveValue('')
  expect(screen.queryByRole('button', { name: 'Remove new' })).toBeNull()
  expect(screen.getByRole('link', { name: 'View in list' })).toHaveAttribute(
    'href',
    expect.stringContaining('Ilam'),
  )
})

// spec: 9.const.14
test('a picture is shown, sent and its progress told; one that will not do is refused', async () => {
  const { user, requests } = await openForm({ [ADD]: ok(aSellerProduct()) })
  const picker = field(/^Product image/)
  const large = new File(['x'], 'large.png', { type: 'image/png' })
  Object.defineProperty(large, 'size', { value: 10.5 * 1024 * 1024 })
  await user.upload(picker, large)
  expect(screen.getByText('File is too large. Maximum size is 10MB.')).toBeInTheDocument()
  await userEvent
    .setup({ applyAccept: false })
    .upload(picker, new File(['x'], 'a.pdf', { type: 'application/pdf' }))
  expect(
    screen.getByText('Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.'),
  ).toBeInTheDocument()
  const fine = new File(['x'], 'tea.jpg', { type: 'image/jpeg' })
  Object.defineProperty(fine, 'size', { value: 9.9 * 1024 * 1024 })
  await user.upload(picker, fine)
  expect(screen.getByAltText('Product image preview')).toBeInTheDocument()
  expect(picker).toBeValid()
  await fill(user)
  await submit(user)
  await screen.findByTestId('toast')
  expect((lastFormData(requests.filter(({ method }) => method === 'POST')).get('image') as File).name).toBe(
    'tea.jpg',
  )
  expect(screen.queryByAltText('Product image preview')).toBeNull()
})

const uploaded = (key: string) => ok({ key, image: `/media/${key}/320.webp`, imageSet: '' })
const more = (name: string) => new File([name], name, { type: 'image/jpeg' })

test('further images are sent one by one, and the product names them in their order', async () => {
  const keys = ['aa-320', 'bb-320', 'cc-320']
  const { user, requests } = await openForm({
    [ADD]: ok(aSellerProduct()),
    [UPLOAD]: () => uploaded(keys.shift() ?? ''),
  })
  await fill(user)
  await user.upload(await screen.findByLabelText(/^More images/), [
    more('a.jpg'),
    more('b.jpg'),
    more('c.jpg'),
  ])
  const earlier = await screen.findByRole('button', { name: 'Move image 3 forward' })
  await waitFor(() => expect(screen.queryByText('Uploading…')).toBeNull())
  await user.click(earlier)
  await user.click(screen.getByRole('button', { name: 'Remove image 1' }))
  expect(field(/^More images/)).toHaveFocus()
  await submit(user)
  await screen.findByTestId('added')
  const sent = requests.filter(({ path }) => path === '/api/product/upload_picture')
  expect(sent.map(({ body }) => ((body as FormData).get('image') as File).name)).toEqual([
    'a.jpg',
    'b.jpg',
    'c.jpg',
  ])
  expect(lastFormData(requests.filter(({ method }) => method === 'POST')).get('moreImages')).toBe(
    'cc-320,bb-320',
  )
  expect(screen.queryByRole('button', { name: 'Remove image 1' })).toBeNull()
})

test('a further image can be the main one of a new product', async () => {
  const keys = ['aa-320', 'bb-320']
  const { user, sent } = await openForm({
    [ADD]: ok(aSellerProduct()),
    [UPLOAD]: () => uploaded(keys.shift() ?? ''),
  })
  await fill(user)
  await user.upload(await screen.findByLabelText(/^More images/), [more('a.jpg'), more('b.jpg')])
  await user.click(await screen.findByRole('button', { name: 'Make main: Image 2' }))
  await submit(user)
  await screen.findByTestId('added')
  expect(lastFormData(sent()).get('moreImages')).toBe('bb-320,aa-320')
  expect(screen.queryByRole('img', { name: 'Product image preview' })).toBeNull()
})

test('an image that was not uploaded is named, and the product is sent once it is repeated or removed', async () => {
  let answer: Table[string] = serverFailed
  const { user, sent } = await openForm({ [ADD]: ok(aSellerProduct()), [UPLOAD]: () => answer as never })
  await fill(user)
  await user.upload(await screen.findByLabelText(/^More images/), more('a.jpg'))
  expect(await screen.findByText(/Internal server error/)).toBeInTheDocument()
  await submit(user)
  expect(field(/^More images/)).toHaveAccessibleDescription(/An image was not uploaded/)
  expect(sent().filter(({ path }) => path.endsWith('add_product'))).toEqual([])

  answer = uploaded('aa-320')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText(/Internal server error/)).toBeNull())
  await submit(user)
  await screen.findByTestId('added')
  expect(lastFormData(sent()).get('moreImages')).toBe('aa-320')
})

test('a file that is no picture is refused at once, and seven further images are enough', async () => {
  const { sent } = await openForm({ [UPLOAD]: 'never' })
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(
    await screen.findByLabelText(/^More images/),
    new File(['x'], 'a.pdf', { type: 'application/pdf' }),
  )
  expect(screen.getByText(/Invalid file type/)).toBeInTheDocument()
  await user.upload(
    field(/^More images/),
    Array.from({ length: 9 }, (_, index) => more(`${index}.jpg`)),
  )
  expect(screen.getAllByRole('button', { name: /^Remove image/ })).toHaveLength(7)
  expect(field(/^More images/)).toHaveAttribute('aria-disabled', 'true')
  // Files are sent in their order, so the refused one would be the first.
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect((lastFormData(sent()).get('image') as File).name).toBe('0.jpg')
})

// spec: 8.seller.4, 8.seller.5
test.each([
  ['a no', refused(409, 'x', 'Not today.'), 'Failed to add product.', 'Not today.'],
  [
    'an ended session',
    refused(401, 'signed_out', 'Please log in again.'),
    'Failed to add product.',
    'Please log in again.',
  ],
  ['a fault', serverFailed, 'Failed to add product.', 'Internal server error. Please try again later.'],
  [
    'a busy server',
    refused(503, 'busy', 'x'),
    'Failed to add product.',
    'We could not reach the shop. Please try again in a moment.',
  ],
  [
    'no answer',
    'no network' as const,
    'No response from server. Please try again.',
    'No response from server. Please try again.',
  ],
])('%s: told, and what was typed stays', async (_what, answer, text, inline) => {
  const { user } = await openForm({ [ADD]: answer })
  await fill(user)
  await submit(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(screen.getAllByText(inline).length).toBeGreaterThan(0)
  expect(field(NAME)).toHaveValue('Ilam Tea')
})

test('what the server says of a field stands at the field', async () => {
  const { user } = await openForm({ [ADD]: refused(422, 'field_invalid', 'Too dear.', { field: 'price' }) })
  await fill(user)
  await submit(user)
  expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to add product.')
  expect(field(/^Price/)).toHaveAccessibleDescription('Too dear.')
})

test('a name that is taken is hinted at, and no more', async () => {
  const { user } = await openForm({ [LIST]: aSellerPage([aSellerProduct({ name: 'ilam tea ' })]) })
  await fill(user)
  expect(await screen.findByText(/A product with this name already exists\./)).toBeInTheDocument()
  await user.type(field(NAME), ' 2')
  expect(screen.queryByText(/A product with this name/)).toBeNull()
})

test('categories that do not come can be asked for again', async () => {
  let answer: Table[string] = serverFailed
  const { user } = await openForm({ [CATEGORIES]: () => answer as never })
  expect(within(field(/^Category/)).getByRole('option')).toHaveTextContent('Loading categories…')
  expect(field(/^Category/)).toBeDisabled()
  expect(await screen.findByText(/We could not load the categories\./)).toBeInTheDocument()
  answer = ok([aSellerCategory()])
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('option', { name: 'Oil & Ghee' })).toBeInTheDocument()
})

test('what was begun comes back, and can be dropped', async () => {
  const first = await openForm()
  await first.user.type(field(NAME), 'Sel Roti')
  await first.user.type(field(/^Tags \(/), 'sweet,')
  first.unmount()
  const { user } = await openForm()
  expect(field(NAME)).toHaveValue('Sel Roti')
  expect(screen.getByRole('button', { name: 'Remove sweet' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Start over' }))
  expect(field(NAME)).toHaveValue('')
  await waitFor(() => expect(sessionStorage.length).toBe(0))
})

test('what has become a product does not come back as a draft, also when the page was left meanwhile', async () => {
  const { user, unmount } = await openForm({ [ADD]: ok(aSellerProduct()) })
  await fill(user)
  expect(sessionStorage.length).toBe(1)
  screen.getByRole('button', { name: 'Add product' }).click()
  unmount()
  await waitFor(() => expect(sessionStorage.length).toBe(0))
})

test('what was begun since then stays', async () => {
  const { user, unmount } = await openForm({ [ADD]: ok(aSellerProduct()) })
  await fill(user)
  const said = vi.spyOn(toast, 'success')
  screen.getByRole('button', { name: 'Add product' }).click()
  unmount()
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, JSON.stringify({ name: 'Sel Roti' }))
  // The draft that was sent is discarded together with this message.
  await waitFor(() => expect(said).toHaveBeenCalledWith('seller.products.added'))
  expect(sessionStorage.getItem(key)).toContain('Sel Roti')
  sessionStorage.clear()
})

test('a draft is its seller’s: neither another seller nor the shopper’s logging out touches it', async () => {
  const seller = (email: string) =>
    queryClient.setQueryData(sessions.seller.queryKey, { name: 'X', email } as never)
  seller('a@thunse.test')
  const first = await openForm()
  await first.user.type(field(NAME), 'Sel Roti')
  first.unmount()
  seller('b@thunse.test')
  const second = await openForm()
  expect(field(NAME)).toHaveValue('')
  second.unmount()
  clearAfterSignOut()
  seller('a@thunse.test')
  await openForm()
  expect(field(NAME)).toHaveValue('Sel Roti')
  sessionStorage.clear()
})

test('the folded part stays open while its problem is being mended', async () => {
  const { user } = await openForm()
  const more = field(/^Unit/).closest('details') as HTMLDetailsElement
  await user.selectOptions(field(/^Unit/), 'kg')
  await submit(user)
  expect(more.open).toBe(true)
  await user.type(field(/^Pack size/), '5')
  expect(more.open).toBe(true)
})

test('Enter after Enter among the tags does not send the form', async () => {
  const { user, sent } = await openForm({ [ADD]: ok(aSellerProduct()) })
  await fill(user)
  await user.type(field(/^Tags \(/), 'new{Enter}{Enter}')
  expect(screen.getByRole('button', { name: 'Remove new' })).toBeInTheDocument()
  expect(sent()).toEqual([])
})

test('the name that was just added is known as taken', async () => {
  let products: ReturnType<typeof aSellerProduct>[] = []
  const tea = aSellerProduct({ name: 'Ilam Tea' })
  const { user, requests } = await openForm({
    [LIST]: () => aSellerPage(products),
    [ADD]: () => {
      products = [tea]
      return ok(tea)
    },
  })
  await fill(user)
  // The name check was requested and found no other product.
  await waitFor(() => expect(requests.some(({ query }) => query?.search === 'Ilam Tea')).toBe(true))
  await settled()
  await submit(user)
  await screen.findByTestId('added')
  await user.type(field(NAME), 'Ilam Tea')
  expect(await screen.findByText(/A product with this name already exists\./)).toBeInTheDocument()
})
