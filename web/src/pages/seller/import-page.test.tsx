import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import * as uploads from '@/api/upload'
import type { Import } from '@/features/catalogue/seller/import-api'
import { ImportPage } from '@/pages/seller/import-page'
import { anImport, anImportRow } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'

const SEND = 'POST /api/product/import_products'
const ONE = 'GET /api/product/get_import/imp-1'
const ROWS = 'GET /api/product/get_import_rows/imp-1'
const PICTURES = 'GET /api/product/get_import_pictures/imp-1'
const RECENT = 'GET /api/product/get_imports'
const APPLY = 'POST /api/product/apply_import'
const CANCEL = 'POST /api/product/cancel_import'
type Table = Parameters<typeof mockServer>[0]

const page = (data: unknown[], nextCursor: string | null = null) => ({
  body: { success: true, message: '', data, nextCursor },
})

async function openPage(table: Table = {}, at = '/seller/import') {
  const requests = mockServer({ [RECENT]: ok([]), [ROWS]: page([anImportRow()]), ...table })
  const shop = await renderInShop(<ImportPage />, { at })
  return { ...shop, requests, user: userEvent.setup({ applyAccept: false }) }
}
const open = (one: Partial<Import>, table: Table = {}) =>
  openPage({ [ONE]: ok(anImport(one)), ...table }, '/seller/import?id=imp-1')
const csv = (name = 'products.csv') => new File(['slug,price'], name, { type: 'text/csv' })
const card = async () => within(await screen.findByTestId('import'))

describe('sending', () => {
  test('a file goes out at once, and the page goes on with it', async () => {
    const { user, requests, address } = await openPage({
      [SEND]: ok(anImport({ state: 'checking', done: 0, total: 0 })),
      [ONE]: ok(anImport({ state: 'checking', done: 1, total: 4 })),
    })
    await user.upload(screen.getByLabelText('CSV or zip file'), csv())
    expect((await card()).getByRole('heading', { name: 'products.csv' })).toHaveFocus()
    expect((lastFormData(requests.filter(({ method }) => method === 'POST')).get('file') as File).name).toBe(
      'products.csv',
    )
    expect(address()).toContain('id=imp-1')
  })

  test('whoever has gone on meanwhile is told, and not fetched back', async () => {
    let arrive: (sent: Import) => void = () => {}
    const sending = new Promise<Import>((resolve) => {
      arrive = resolve
    })
    const upload = vi.spyOn(uploads, 'upload').mockReturnValue(sending as Promise<never>)
    const { user, router, address } = await openPage()
    await user.upload(screen.getByLabelText('CSV or zip file'), csv())
    await act(() => router.navigate({ to: '/seller/orders' as never }))
    await act(async () => arrive(anImport()))
    expect(await screen.findByTestId('toast')).toHaveTextContent('products.csv was uploaded.')
    expect(address()).toBe('/seller/orders')
    upload.mockRestore()
  })

  test('a zip file goes out too, unless it is too large', async () => {
    const { user, requests } = await openPage({ [SEND]: ok(anImport()), [ONE]: ok(anImport()) })
    const large = csv('large.zip')
    Object.defineProperty(large, 'size', { value: 40 * 1024 * 1024 + 1 })
    await user.upload(screen.getByLabelText('CSV or zip file'), large)
    expect(screen.getByText(/larger than 40 MB/)).toBeInTheDocument()
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
    await user.upload(screen.getByLabelText('CSV or zip file'), csv('Products.ZIP'))
    await card()
    const sent = lastFormData(requests.filter(({ method }) => method === 'POST'))
    expect((sent.get('file') as File).name).toBe('Products.ZIP')
  })

  test('another kind of file is not sent', async () => {
    const { user, requests } = await openPage()
    await user.upload(screen.getByLabelText('CSV or zip file'), csv('products.xlsx'))
    expect(screen.getByText(/This is not a CSV or zip file\./)).toBeInTheDocument()
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test.each([
    [refused(413, 'file_size', 'The file is too large.'), 'The file is too large.'],
    [refused(401, 'signed_out', 'Please log in again.'), 'Please log in again.'],
    [serverFailed, 'Internal server error. Please try again later.'],
    ['no network' as const, 'No response from server. Please try again.'],
  ])('what does not work is told', async (answer, text) => {
    const { user } = await openPage({ [SEND]: answer })
    await user.upload(screen.getByLabelText('CSV or zip file'), csv())
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(screen.getAllByText(text)).toHaveLength(2)
  })
})

describe('checking', () => {
  test('the bar follows, every second, until it is done', async () => {
    let state = anImport({ state: 'checking', done: 1000, total: 4000 })
    await openPage({ [ONE]: () => ok(state) }, '/seller/import?id=imp-1')
    const bar = await screen.findByRole('progressbar', { name: /Rows processed/ })
    expect(bar).toHaveAttribute('value', '1000')
    expect(screen.getByText('1000 of 4000 rows')).toBeInTheDocument()
    expect(screen.getByText(/is being checked\. Nothing has been changed yet\./)).toBeInTheDocument()
    state = anImport()
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
    expect(screen.getByRole('button', { name: 'Apply' })).toBeEnabled()
  })

  test('the images of a zip file count as well', async () => {
    await open({ state: 'checking', done: 3, total: 12, pictures: 14 })
    const bar = await screen.findByRole('progressbar', { name: /Images and rows processed/ })
    expect(bar).toHaveAttribute('value', '3')
    expect(screen.getByText('3 of 12')).toBeInTheDocument()
    expect(screen.queryByText('Images in the zip file')).toBeNull()
  })

  test('images are shown in their rows, and those that no row names or that cannot be used are listed', async () => {
    const picture = { key: 'k-320', image: '/media/k-320/320.webp', imageSet: '/media/k-320/320.webp 320w' }
    await open(
      { pictures: 4 },
      {
        [PICTURES]: ok([
          { name: 'oil.jpg', state: 'used', message: '' },
          { name: 'notes.txt', state: 'unused', message: '' },
          { name: 'old.jpg', state: 'unused', message: '' },
          { name: 'huge.png', state: 'error', message: 'This image is too large.' },
        ]),
        [ROWS]: page([
          anImportRow({ changes: [{ column: 'image', before: '', after: 'oil.jpg', pictures: [picture] }] }),
        ]),
      },
    )
    const images = within(await screen.findByRole('region', { name: 'Images in the zip file' }))
    expect(await images.findByText('1 image is used.')).toBeInTheDocument()
    expect(images.getByText('No row names 2 images. They will not be imported:')).toBeInTheDocument()
    expect(images.getByText('1 image cannot be used:')).toBeInTheDocument()
    expect(images.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'huge.png This image is too large.',
      'notes.txt ',
      'old.jpg ',
    ])
    const row = await screen.findByTestId('import-row')
    expect(row).toHaveTextContent('image oil.jpg')
    expect(row.querySelector('img')).toHaveAttribute('src', picture.image)
  })

  test('a long list of images is cut', async () => {
    const unused = Array.from({ length: 23 }, (_, n) => ({ name: `${n}.jpg`, state: 'unused', message: '' }))
    await open({ pictures: 23 }, { [PICTURES]: ok(unused) })
    const images = within(await screen.findByRole('region', { name: 'Images in the zip file' }))
    expect(await images.findByText('and 3 more')).toBeInTheDocument()
    expect(images.getAllByRole('listitem')).toHaveLength(21)
  })

  test('a list of images that does not load can be loaded again', async () => {
    const { user } = await open({ pictures: 1 }, { [PICTURES]: serverFailed })
    const images = within(await screen.findByRole('region', { name: 'Images in the zip file' }))
    expect(await images.findByText('We could not load the list of images.')).toBeInTheDocument()
    mockServer({ [PICTURES]: ok([{ name: 'oil.jpg', state: 'used', message: '' }]) })
    await user.click(images.getByRole('button'))
    expect(await images.findByText('1 image is used.')).toBeInTheDocument()
  })

  test('counts, and every row with what it changes', async () => {
    const { user, requests } = await open(
      {},
      {
        [ROWS]: ({ query }) =>
          query?.cursor
            ? page([
                anImportRow({
                  row: 3,
                  name: 'Ilam Tea',
                  kind: 'add',
                  changes: [{ column: 'name', before: '', after: 'Ilam Tea' }],
                }),
              ])
            : page([anImportRow()], 'c2'),
      },
    )
    const chips = within(await screen.findByRole('navigation', { name: 'Show rows' }))
    for (const name of ['All rows 4', 'New 1', 'Changed 1', 'Unchanged 2', 'Errors 0'])
      expect(chips.getByRole('button', { name })).toBeInTheDocument()
    const row = await screen.findByTestId('import-row')
    expect(row).toHaveTextContent('price 320 → becomes 335')
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(screen.getAllByTestId('import-row')).toHaveLength(2))
    await user.click(chips.getByRole('button', { name: /^Changed/ }))
    await waitFor(() => expect(requests.at(-1)?.query).toMatchObject({ kind: 'update' }))
  })

  test('a category that the shop does not have comes with the one that may be meant', async () => {
    const errors = [{ column: 'category', message: "There is no category 'Salt Sugar'." }]
    await open(
      {},
      {
        [ROWS]: page([anImportRow({ kind: 'error', changes: [], errors })]),
        'GET /api/category/get_categories': ok([{ name: 'Rice' }, { name: 'Salt, Sugar & Sweeteners' }]),
      },
    )
    expect(await screen.findByText('Salt, Sugar & Sweeteners')).toBeInTheDocument()
    expect(screen.getByTestId('import-row')).toHaveTextContent('Did you mean: Salt, Sugar & Sweeteners')
  })

  test('errors come first, by column, and stand in the way', async () => {
    const errors = [{ column: 'price', message: 'This is not a price.' }]
    const { requests } = await open(
      { counts: { add: 1, update: 0, same: 0, error: 2 } },
      { [ROWS]: page([anImportRow({ kind: 'error', changes: [], errors })]) },
    )
    expect(await screen.findByTestId('import-row')).toHaveTextContent('price This is not a price.')
    expect(requests.findLast(({ path }) => path.includes('rows'))?.query).toMatchObject({ kind: 'error' })
    const apply = screen.getByRole('button', { name: 'Apply' })
    expect(apply).toBeDisabled()
    expect(apply).toHaveAccessibleDescription(/2 rows have errors\. Nothing can be applied/)
  })

  test('a file that changes nothing has nothing to apply', async () => {
    await open({ counts: { add: 0, update: 0, same: 4, error: 0 } })
    expect(await screen.findByText(/Nothing to apply/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Apply' })).toBeDisabled()
  })

  test.each([
    ['refused', 'The column "colour" is not known.', /could not be read/],
    ['failed', 'Row 3 has changed.', /Nothing was changed/],
    ['cancelled', '', /was cancelled/],
    ['applied', '', /All changes have been applied/],
    ['applying', '', /are being applied/],
  ] as const)('%s is said, with the reason', async (state, message, text) => {
    await open({ state, message })
    const shown = await card()
    expect(shown.getByText(text).textContent).toContain(message)
    expect(shown.queryByRole('button', { name: 'Apply' })).toBeNull()
    if (state === 'applying') expect(shown.queryByRole('link', { name: 'Import another file' })).toBeNull()
    else
      expect(shown.getByRole('link', { name: 'Import another file' })).toHaveAttribute(
        'href',
        '/seller/import',
      )
  })
})

describe('deciding', () => {
  test('applying asks first, and then follows', async () => {
    let state = anImport()
    const { user, requests } = await open(
      {},
      {
        [ONE]: () => ok(state),
        [APPLY]: () => {
          state = anImport({ state: 'applying' })
          return ok(state)
        },
      },
    )
    await user.click(await screen.findByRole('button', { name: 'Apply' }))
    const question = within(screen.getByRole('dialog', { name: 'Apply this import?' }))
    expect(question.getByText(/New products: 1\. Changed products: 1\./)).toBeInTheDocument()
    await user.click(question.getByRole('button', { name: 'Apply' }))
    expect(await screen.findByText('The changes are being applied.')).toBeInTheDocument()
    expect(requests.find(({ path }) => path.endsWith('apply_import'))?.body).toEqual({ importId: 'imp-1' })
    state = anImport({ state: 'applied' })
    expect(await screen.findByText('All changes have been applied.')).toBeInTheDocument()
  })

  test('cancelling ends it', async () => {
    const { user } = await open({}, { [CANCEL]: ok(anImport({ state: 'cancelled' })) })
    await user.click(await screen.findByRole('button', { name: 'Cancel import' }))
    expect(await screen.findByText(/This import was cancelled/)).toBeInTheDocument()
  })

  test('also while it is being applied', async () => {
    const { user, requests } = await open(
      { state: 'applying' },
      { [CANCEL]: ok(anImport({ state: 'cancelled' })) },
    )
    await user.click(await screen.findByRole('button', { name: 'Cancel import' }))
    await waitFor(() =>
      expect(requests.find(({ path }) => path.endsWith('cancel_import'))?.body).toEqual({
        importId: 'imp-1',
      }),
    )
  })

  test('found applied on coming back, the products are asked for again', async () => {
    const asksAgain = vi.spyOn(queryClient, 'invalidateQueries')
    const first = await open({ state: 'applying' })
    await card()
    first.unmount()
    queryClient.clear()
    asksAgain.mockClear()
    await openPage({ [RECENT]: ok([anImport({ state: 'applied' })]) })
    await screen.findByRole('link', { name: 'products.csv' })
    expect(asksAgain).toHaveBeenCalledWith({ queryKey: ['seller', 'products'] })
    expect(asksAgain).toHaveBeenCalledWith({ queryKey: ['catalogue'] })
    asksAgain.mockRestore()
  })

  test('a no is told in the question', async () => {
    const { user } = await open({}, { [APPLY]: refused(409, 'import_not_ready', 'It is not ready.') })
    await user.click(await screen.findByRole('button', { name: 'Apply' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apply' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent('It is not ready.')
    expect(within(screen.getByRole('dialog')).getAllByText('It is not ready.')).toHaveLength(2)
  })
})

test('recent imports lead back to themselves', async () => {
  const { user } = await openPage({
    [RECENT]: ok([anImport({ fileName: 'dashain.csv', state: 'applied' })]),
    [ONE]: ok(anImport({ fileName: 'dashain.csv', state: 'applied' })),
  })
  const link = await screen.findByRole('link', { name: 'dashain.csv' })
  expect(link.closest('li')).toHaveTextContent(/Applied.*Ram, 15 Nov 2026, 11:50/)
  await user.click(link)
  expect((await card()).getByRole('heading', { name: 'dashain.csv' })).toBeInTheDocument()
})

test('an import that is gone says so; one that does not come can be tried again', async () => {
  const { unmount } = await openPage({ [ONE]: refused(404, 'not_found', '') }, '/seller/import?id=imp-1')
  expect(
    await screen.findByRole('heading', { name: 'This import is no longer available' }),
  ).toBeInTheDocument()
  unmount()
  await act(async () => {})
  let answer = serverFailed as ReturnType<typeof ok>
  const { user } = await openPage(
    { 'GET /api/product/get_import/imp-2': () => answer },
    '/seller/import?id=imp-2',
  )
  expect(await screen.findByText('We could not load the import.')).toBeInTheDocument()
  answer = ok(anImport({ _id: 'imp-2', state: 'cancelled' }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/This import was cancelled/)).toBeInTheDocument()
})

test('the columns are explained', async () => {
  const { user } = await openPage()
  await user.click(screen.getByText('Which columns can the file have?'))
  expect(screen.getByText(/slug,name,category,price,stock,tags/)).toBeInTheDocument()
})
