import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const LIST = '/api/product/get_products?limit=24'
const answer = (total: number) => ({
  success: true,
  message: '',
  data: [],
  nextCursor: null,
  total,
  totalCapped: false,
  matches: [],
  similar: [],
})

function pageComesWith(responses: Record<string, unknown>) {
  document.body.innerHTML = `<script type="application/json" id="first-data">${JSON.stringify({ lang: 'en', responses })}</script>`
}

const fetched = vi.fn(async (_request: Request) => Response.json(answer(2)))

beforeEach(() => {
  vi.resetModules()
  fetched.mockClear()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
})

test('an answer that came with the page is used once, without asking', async () => {
  pageComesWith({ [LIST]: answer(1) })
  const { api, unwrap } = await import('@/api/client')
  const ask = async () =>
    unwrap(await api.GET('/api/product/get_products', { params: { query: { limit: 24 } } }))
  expect((await ask()).total).toBe(1)
  expect(fetched).not.toHaveBeenCalled()
  expect((await ask()).total).toBe(2)
  expect(fetched).toHaveBeenCalledOnce()
})

test('a minute after the page was opened its answers are old', async () => {
  pageComesWith({ [LIST]: answer(1) })
  const { api, unwrap } = await import('@/api/client')
  vi.spyOn(performance, 'now').mockReturnValue(60_001)
  const reply = await api.GET('/api/product/get_products', { params: { query: { limit: 24 } } })
  expect(unwrap(reply).total).toBe(2)
})

test('questions are spelled the way the server files them: keys in order, empty ones left out', async () => {
  const { api } = await import('@/api/client')
  const query = { sort: 'price_asc', search: 'दाल & oil', limit: 24, category: '' } as never
  await api.GET('/api/product/get_products', { params: { query } })
  const requests = new URL(fetched.mock.calls[0]?.[0].url ?? '')
  expect(requests.search).toBe(
    `?${new URLSearchParams([
      ['limit', '24'],
      ['search', 'दाल & oil'],
      ['sort', 'price_asc'],
    ])}`,
  )
})

test('a no from the server is a refusal; anything else that goes wrong is not', async () => {
  const { ApiError, unwrap } = await import('@/api/client')
  const no = { success: false, code: 'x', message: 'No.' }
  expect(() => unwrap({ data: no, response: new Response() })).toThrow(ApiError)
  expect(() => unwrap({ error: no, response: new Response('', { status: 404 }) })).toThrow(ApiError)
  expect(() => unwrap({ error: no, response: new Response('', { status: 500 }) })).not.toThrow(ApiError)
  expect(() => unwrap({ error: 'x', response: new Response('', { status: 500 }) })).toThrow(
    'The server failed (500).',
  )
})

test('headers travel along, and the details of a refusal are passed on', async () => {
  fetched.mockResolvedValueOnce(
    Response.json(
      { success: false, code: 'out_of_stock', message: 'No.', data: { left: 3 } },
      { status: 409 },
    ),
  )
  const { api, errorCode, unwrap } = await import('@/api/client')
  const body = { items: [], totalAmount: 0, paymentMethod: 'COD' }
  const refused = await api
    .POST('/api/order/place_order_COD', { params: { header: { 'Idempotency-Key': 'k' } }, body })
    .then(unwrap)
    .catch((error) => error)
  expect(fetched.mock.calls[0]?.[0].headers.get('idempotency-key')).toBe('k')
  expect(refused).toMatchObject({ code: 'out_of_stock', status: 409, data: { left: 3 } })
  expect(errorCode(refused)).toBe('out_of_stock')
})

test('cookies go along with every call', async () => {
  const { api } = await import('@/api/client')
  await api.GET('/api/cart/get_cart')
  await api.POST('/api/subscriber/add_subscriber', { body: { email: 'asha@example.com' } })
  expect(fetched.mock.calls.map(([request]) => [request.method, request.credentials])).toEqual([
    ['GET', 'same-origin'],
    ['POST', 'same-origin'],
  ])
})

// spec: 7.all.2
test('nobody gives up on a slow answer: an hour later the call still waits', async () => {
  vi.useFakeTimers()
  let reply = (_answer: Response) => {}
  fetched.mockReturnValueOnce(new Promise((resolve) => (reply = resolve)))
  const { api, unwrap } = await import('@/api/client')
  const requests = api.GET('/api/cart/get_cart').then(unwrap)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(fetched.mock.calls[0]?.[0].signal.aborted).toBe(false)
  reply(Response.json({ success: true, message: '', data: { rice: 2 } }))
  await expect(requests).resolves.toMatchObject({ data: { rice: 2 } })
  vi.useRealTimers()
})

test('a failure keeps its reason, but is no refusal', async () => {
  fetched.mockResolvedValueOnce(Response.json({ success: false, code: 'busy', message: '' }, { status: 503 }))
  const { api, errorCode, ApiError, unwrap } = await import('@/api/client')
  const failed = await api
    .GET('/api/cart/get_cart')
    .then(unwrap, (error) => error)
    .catch((error) => error)
  expect(failed).not.toBeInstanceOf(ApiError)
  expect(errorCode(failed)).toBe('busy')
})
