import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { SearchBox } from '@/app/search-box'
import { spellings } from '@/features/catalogue/barcode-camera'
import { activateLang } from '@/lib/i18n'
import { PRODUCTS, productList } from '@/test/catalogue'
import { aProduct } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, serverFailed } from '@/test/server'

let seen: string[] = []
const stopped = vi.fn()
const camera = vi.fn<() => Promise<unknown>>()
const supported = vi.fn<() => Promise<string[]>>()

/** A browser with a camera that reads these formats. */
function allowScanning(formats = ['ean_13', 'qr_code']) {
  supported.mockReset().mockResolvedValue(formats)
  class Detector {
    static getSupportedFormats = supported
    detect = async () => seen.map((rawValue) => ({ rawValue }))
  }
  vi.stubGlobal('BarcodeDetector', Detector)
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: camera }, configurable: true })
}

beforeEach(() => {
  seen = []
  stopped.mockReset()
  camera.mockReset().mockResolvedValue({ getTracks: () => [{ stop: stopped }] })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  // happy-dom only takes its own kind of stream.
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { set() {}, configurable: true })
})

async function openCamera() {
  allowScanning()
  const shop = await renderInShop(<SearchBox />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Scan a barcode' }))
  await screen.findByRole('dialog', { name: 'Scan a barcode' })
  return { ...shop, user }
}

test('the barcode of a product leads to it, and the camera is off again', async () => {
  const requests = mockServer({ [PRODUCTS]: productList([], { matches: [aProduct()] }) })
  const { address } = await openCamera()
  expect(await screen.findByText('Hold the barcode in front of the camera.')).toBeInTheDocument()
  seen = ['https://example.com', '4006381333931']
  await expect.poll(address).toBe('/product/oil-ghee/p-oil')
  expect(requests.map(({ query }) => query?.search)).toEqual(['4006381333931'])
  expect(stopped).toHaveBeenCalled()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('an unknown barcode is told with its digits, and another can be scanned', async () => {
  mockServer({ [PRODUCTS]: productList([], { similar: [aProduct()] }) })
  seen = ['96385074']
  const { user } = await openCamera()
  expect(await screen.findByText('We have no product with the barcode 96385074.')).toBeInTheDocument()
  seen = []
  await user.click(screen.getByRole('button', { name: 'Scan again' }))
  expect(camera).toHaveBeenCalledTimes(2)
  expect(screen.getByText('Hold the barcode in front of the camera.')).toBeInTheDocument()
})

test('a search that fails is repeated without the camera', async () => {
  let answer: typeof serverFailed | ReturnType<typeof productList> = serverFailed
  mockServer({ [PRODUCTS]: () => answer })
  seen = ['96385074']
  const { user, address } = await openCamera()
  expect(await screen.findByText(/We could not look up this barcode/)).toBeInTheDocument()
  answer = productList([aProduct()])
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await expect.poll(address).toBe('/product/oil-ghee/p-oil')
  expect(camera).toHaveBeenCalledOnce()
})

test.each([
  ['NotAllowedError', /The camera is blocked\. Allow it/],
  ['NotFoundError', /The camera does not work here/],
])('%s is told in plain words', async (name, text) => {
  camera.mockRejectedValue(new DOMException('x', name))
  await openCamera()
  expect(await screen.findByText(text)).toBeInTheDocument()
})

test('closing turns the camera off', async () => {
  const { user } = await openCamera()
  await waitFor(() => expect(HTMLMediaElement.prototype.play).toHaveBeenCalled())
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(stopped).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a browser that reads no barcodes of goods has no button, and typed words have the cross in its place', async () => {
  allowScanning(['qr_code'])
  const first = await renderInShop(<SearchBox />)
  await waitFor(() => expect(supported).toHaveBeenCalled())
  await act(async () => {})
  expect(screen.queryByRole('button', { name: 'Scan a barcode' })).toBeNull()
  first.unmount()

  allowScanning()
  await renderInShop(<SearchBox />)
  expect(await screen.findByRole('button', { name: 'Scan a barcode' })).toBeInTheDocument()
  await userEvent.type(screen.getByRole('combobox'), 'rice')
  expect(screen.queryByRole('button', { name: 'Scan a barcode' })).toBeNull()
})

test('the dialog is in Nepali too', async () => {
  await activateLang('ne')
  allowScanning()
  await renderInShop(<SearchBox />)
  await userEvent.click(await screen.findByRole('button', { name: 'बारकोड स्क्यान गर्नुहोस्' }))
  expect(await screen.findByText('बारकोडलाई क्यामेराको अगाडि राख्नुहोस्।')).toBeInTheDocument()
  await activateLang('en')
})

test('a UPC-A with 12 digits is also an EAN-13 that begins with zero', () => {
  expect(spellings('036000291452')).toEqual(['036000291452', '0036000291452'])
  expect(spellings('0036000291452')).toEqual(['0036000291452', '036000291452'])
  expect(spellings('4006381333931')).toEqual(['4006381333931'])
})
