import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import type { PackingOrder } from '@/features/packing/seller/order-to-pack'
import type { OrderToPack } from '@/features/packing/seller/packing-api'
import { SellerPackingPage } from '@/pages/seller/packing-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/packing/get_orders'
const FINISH = 'POST /api/packing/finish'

const listed = (id: string, changes: Partial<OrderToPack> = {}): OrderToPack => ({
  _id: id,
  orderId: `CODE${id}`,
  date: '2026-11-17T04:00:00Z',
  deliveryDate: '2026-11-18',
  deliveryWindow: { starts: '07:00', ends: '09:00', hasPlace: true },
  customer: 'Asha Rai',
  lines: 3,
  units: 4,
  hasNote: false,
  ...changes,
})

const line = (product: string, changes = {}) => ({
  product,
  name: product,
  nameNe: null,
  packLabel: null,
  packLabelNe: null,
  image: null,
  imageSet: null,
  quantity: 1,
  stepGrams: null,
  price: 500,
  category: 'Staples',
  categoryNe: null,
  ifUnavailable: null,
  barcode: null,
  ...changes,
})

const order = (changes: Partial<PackingOrder> = {}): PackingOrder => ({
  _id: 'a',
  orderId: 'CODEa',
  status: 'Order Confirmed',
  paymentMethod: 'COD',
  deliveryDate: '2026-11-18',
  deliveryWindow: { starts: '07:00', ends: '09:00', hasPlace: true },
  customer: 'Asha Rai',
  phone: '9801234567',
  noteShop: 'Ripe tomatoes, please',
  ifUnavailable: 'replace',
  total: 2000,
  lines: [
    line('Rice', { quantity: 2, barcode: '4006381333931' }),
    line('Salt'),
    line('Milk', { category: 'Dairy' }),
  ],
  packing: null,
  question: null,
  ...changes,
})

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})

/** Opens the list and counts every tap. */
async function open(answers: Parameters<typeof mockServer>[0]) {
  const requests = mockServer({
    [LIST]: ok([listed('a')]),
    'GET /api/packing/get_order/a': ok(order()),
    ...answers,
  })
  await renderInShop(<SellerPackingPage />, { at: '/seller/packing' })
  const user = userEvent.setup()
  let taps = 0
  const tap = async (element: HTMLElement) => {
    taps += 1
    await user.click(element)
  }
  return { requests, user, tap, taps: () => taps }
}

test('an order with n lines is packed with n + 2 taps', async () => {
  const { requests, tap, taps } = await open({ [FINISH]: ok(null) })

  await tap(await screen.findByTestId('order-to-pack'))
  for (const each of await screen.findAllByTestId('packing-line')) await tap(each)
  await tap(screen.getByRole('button', { name: 'Finish packing' }))

  expect(await screen.findByTestId('order-to-pack')).toBeInTheDocument()
  expect(taps()).toBe(order().lines.length + 2)
  expect(requests.find(({ path }) => path === '/api/packing/finish')?.body).toEqual({
    orderId: 'a',
    lines: [
      { product: 'Rice', packed: 2 },
      { product: 'Salt', packed: 1 },
      { product: 'Milk', packed: 1 },
    ],
  })
})

test('the packer sees the note, the choice for missing goods and the lines by category', async () => {
  const { tap } = await open({})
  await tap(await screen.findByTestId('order-to-pack'))

  expect(await screen.findByText('Ripe tomatoes, please')).toBeInTheDocument()
  expect(screen.getByText('Replace with something similar')).toBeInTheDocument()
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Staples',
    'Dairy',
  ])
  expect(screen.getByRole('button', { name: 'Finish packing' })).toBeDisabled()
})

test('a scanner ticks a line unit by unit, and undo takes back the last step', async () => {
  const { user, tap } = await open({})
  await tap(await screen.findByTestId('order-to-pack'))
  const [rice] = (await screen.findAllByTestId('packing-line')) as [HTMLElement]

  await user.keyboard('4006381333931{Enter}')
  expect(rice).toHaveTextContent('1 of 2 packed')
  expect(rice).toHaveAttribute('aria-pressed', 'false')
  await user.keyboard('4006381333931{Enter}')
  expect(rice).toHaveAttribute('aria-pressed', 'true')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(rice).toHaveTextContent('1 of 2 packed')
  await user.keyboard('96385074{Enter}')
  expect(await screen.findByTestId('toast')).toHaveTextContent('No product of this order has this barcode.')
})

test('a line is replaced by a similar product, and the customer can be asked about a higher price', async () => {
  const basmati = {
    product: 'basmati',
    name: 'Basmati',
    nameNe: null,
    packLabel: null,
    packLabelNe: null,
    image: null,
    imageSet: null,
    price: 700,
    stock: 5,
  }
  const { requests, user, tap } = await open({
    'GET /api/packing/get_order/a': ok(order({ lines: [line('Rice', { quantity: 2 })] })),
    'GET /api/packing/get_replacements/Rice': ok([basmati]),
    'POST /api/packing/ask_question': ok(null),
    [FINISH]: ok(null),
  })
  await tap(await screen.findByTestId('order-to-pack'))
  await user.click(await screen.findByRole('button', { name: /Change.*Rice/ }))
  const dialog = await screen.findByRole('dialog')
  await user.click(await within(dialog).findByRole('button', { name: /Basmati/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))

  expect(screen.getByTestId('packing-line')).toHaveTextContent('0 of 2 packed + 2 × Basmati')
  expect(screen.getByText('The replacement costs more')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Ask by message' }))
  const asked = await waitFor(() => {
    const found = requests.find(({ path }) => path === '/api/packing/ask_question')
    expect(found).toBeDefined()
    return found
  })
  const lines = [
    {
      product: 'Rice',
      packed: 0,
      reason: 'not_available',
      replacement: { product: 'basmati', quantity: 2 },
    },
  ]
  expect(asked?.body).toEqual({ orderId: 'a', lines })
  await user.type(screen.getByLabelText('Agreed on the phone with (name)'), 'Asha')
  await user.click(screen.getByRole('button', { name: 'Finish packing' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/packing/finish')?.body).toEqual({
      orderId: 'a',
      lines,
      agreedOnPhoneWith: 'Asha',
    }),
  )
})

test('weighed goods are done with their weight, with one tap for each line', async () => {
  const lines = [line('Rice'), line('Potatoes', { quantity: 3, stepGrams: 500 })]
  const { requests, user, tap, taps } = await open({
    'GET /api/packing/get_order/a': ok(order({ lines })),
    [FINISH]: ok(null),
  })
  await tap(await screen.findByTestId('order-to-pack'))
  for (const each of await screen.findAllByTestId('packing-line')) await tap(each)
  expect(screen.getByRole('button', { name: 'Finish packing' })).toBeDisabled()
  const weight = screen.getByLabelText('Weight of Potatoes in grams')
  expect(weight).toHaveFocus()
  expect(weight).toHaveAttribute('placeholder', '1500')
  await user.keyboard('१६२०')
  await tap(screen.getByRole('button', { name: 'Finish packing' }))

  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/packing/finish')?.body).toEqual({
      orderId: 'a',
      lines: [
        { product: 'Rice', packed: 1 },
        { product: 'Potatoes', packed: 3, grams: 1620 },
      ],
    }),
  )
  expect(taps()).toBe(lines.length + 2)
})

test('a refusal keeps what was ticked', async () => {
  const { tap } = await open({
    [FINISH]: refused(409, 'already_packed', 'This order has already been packed.'),
  })
  await tap(await screen.findByTestId('order-to-pack'))
  for (const each of await screen.findAllByTestId('packing-line')) await tap(each)
  await tap(screen.getByRole('button', { name: 'Finish packing' }))

  expect(await screen.findByTestId('toast')).toHaveTextContent('This order has already been packed.')
  for (const each of screen.getAllByTestId('packing-line'))
    expect(each).toHaveAttribute('aria-pressed', 'true')
})

test('without orders the page says so', async () => {
  await open({ [LIST]: ok([]) })
  expect(await screen.findByText('Nothing to pack')).toBeInTheDocument()
})
