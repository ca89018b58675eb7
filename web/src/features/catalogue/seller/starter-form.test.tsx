import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
// The page loads it on demand. Its compilation may take longer than a test waits for its form.
import '@/features/catalogue/seller/starter-form'
import { activateLang } from '@/lib/i18n'
import { ImportPage } from '@/pages/seller/import-page'
import { anImport } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, serverFailed } from '@/test/server'

type Table = Parameters<typeof mockServer>[0]
const CATEGORIES = 'GET /api/category/get_categories'
const ADD = 'POST /api/category/add_category'
const SEND = 'POST /api/product/import_products'

afterEach(() => activateLang('en'))

async function openStarter(table: Table = {}) {
  const requests = mockServer({
    'GET /api/product/get_imports': ok([]),
    'GET /api/product/get_import/imp-1': ok(anImport({ state: 'checking' })),
    [CATEGORIES]: ok([{ _id: 'c-1', slug: 'rice-grains', name: 'Rice & Grains' }]),
    [ADD]: ok({ _id: 'c-2', slug: 'pulses', name: 'Pulses & Lentils' }),
    [SEND]: ok(anImport({ state: 'checking' })),
    ...table,
  })
  const shop = await renderInShop(<ImportPage />, { at: '/seller/import?starter=yes' as never })
  await screen.findByRole('region', { name: 'Start with common groceries' })
  return { ...shop, requests, user: userEvent.setup() }
}

const starter = () => within(screen.getByTestId('starter'))

async function choose(user: ReturnType<typeof userEvent.setup>, text: string, name: RegExp) {
  const search = starter().getByRole('searchbox', { name: 'Search groceries' })
  await user.clear(search)
  await user.type(search, text)
  await user.click(starter().getByRole('checkbox', { name }))
}

test('the seller searches, ticks, fills in price and stock, and sees the import before it is applied', async () => {
  const { user, requests, address } = await openStarter()
  await choose(user, 'jeera masino', /^Jeera Masino Rice/)
  await user.type(starter().getByRole('textbox', { name: 'Price (Rs.): Jeera Masino Rice' }), '540')
  await user.type(starter().getByRole('textbox', { name: 'Stock: Jeera Masino Rice' }), '12')
  await user.click(starter().getByRole('button', { name: 'Check 1 product' }))

  await waitFor(() => expect(address()).toBe('/seller/import?id=imp-1'))
  const sent = requests.filter(({ path }) => path === '/api/product/import_products')
  const file = lastFormData(sent).get('file') as File
  expect(file.name).toBe('starter-catalogue.csv')
  expect(await file.text()).toContain('"540","12"')
  expect(requests.some(({ path }) => path === '/api/category/add_category')).toBe(false)
})

test('a category that the shop does not have is added first, with its drawing', async () => {
  const { user, requests, address } = await openStarter({ 'GET /src/assets/emoji/1fad8.webp': ok(null) })
  await choose(user, 'masoor', /Masoor/)
  await user.type(starter().getByRole('textbox', { name: /^Price/ }), '180')
  await user.type(starter().getByRole('textbox', { name: /^Stock/ }), '5')
  await user.click(starter().getByRole('button', { name: 'Check 1 product' }))

  await waitFor(() => expect(address()).toBe('/seller/import?id=imp-1'))
  const form = lastFormData(requests.filter(({ path }) => path === '/api/category/add_category'))
  expect(form.get('name')).toBe('Pulses & Lentils')
  expect(form.get('nameNe')).toBe('दाल तथा गेडागुडी')
  expect((form.get('image') as File).name).toBe('pulses.webp')
})

test('without a price nothing is sent, and the field has the focus', async () => {
  const { user, requests, address } = await openStarter()
  await choose(user, 'jeera masino', /^Jeera Masino Rice/)
  await user.click(starter().getByRole('button', { name: 'Check 1 product' }))
  const price = starter().getByRole('textbox', { name: /^Price/ })
  await waitFor(() => expect(price).toHaveFocus())
  expect(price).toHaveAttribute('aria-invalid', 'true')
  expect(starter().getByText(/Enter a price above zero/)).toBeInTheDocument()

  await user.type(price, '540')
  await user.type(starter().getByRole('textbox', { name: /^Stock/ }), '12')
  await user.click(starter().getByRole('button', { name: 'Check 1 product' }))
  await waitFor(() => expect(address()).toBe('/seller/import?id=imp-1'))
  const sent = requests.filter(({ method }) => method === 'POST')
  expect(sent).toHaveLength(1)
  expect(await (lastFormData(sent).get('file') as File).text()).toContain('"540","12"')
})

test('a failure is told, and nothing typed is lost', async () => {
  const { user } = await openStarter({ [SEND]: serverFailed })
  await choose(user, 'jeera masino', /^Jeera Masino Rice/)
  await user.type(starter().getByRole('textbox', { name: /^Price/ }), '540')
  await user.type(starter().getByRole('textbox', { name: /^Stock/ }), '12')
  await user.click(starter().getByRole('button', { name: 'Check 1 product' }))
  expect(await starter().findByRole('alert')).toBeInTheDocument()
  expect(starter().getByRole('textbox', { name: /^Price/ })).toHaveValue('540')
})

test('what was ticked can be removed again, and nothing found is said', async () => {
  const { user } = await openStarter()
  await choose(user, 'jeera masino', /^Jeera Masino Rice/)
  await user.click(starter().getByRole('button', { name: 'Remove Jeera Masino Rice' }))
  expect(starter().queryByRole('button', { name: /^Check/ })).toBeNull()
  await user.type(starter().getByRole('searchbox'), ' xyzzy')
  expect(starter().getByText('Nothing found. Add it by hand instead.')).toBeInTheDocument()
})

test('the starter catalogue speaks Nepali', async () => {
  const { user } = await openStarter()
  await act(() => activateLang('ne'))
  await user.type(starter().getByRole('searchbox'), 'चामल')
  expect(starter().getByRole('checkbox', { name: /^जीरा मसिनो चामल/ })).toBeInTheDocument()
})
