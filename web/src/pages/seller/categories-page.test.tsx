import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { SellerCategoriesPage } from '@/pages/seller/categories-page'
import { aSellerCategory } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'

const LIST = 'GET /api/category/get_categories'
const ADD = 'POST /api/category/add_category'
const UPDATE = 'PUT /api/category/update_category/oil-ghee'
const DELETE = 'DELETE /api/category/delete_category/oil-ghee'
type Table = Parameters<typeof mockServer>[0]

const oil = aSellerCategory({ icon: '🛢️' })
const tea = aSellerCategory({
  _id: 'c-tea',
  slug: 'tea',
  name: 'Tea',
  description: 'Leaves.',
  totalproducts: 0,
})

async function openPage(table: Table = {}) {
  const requests = mockServer({ [LIST]: ok([oil, tea]), ...table })
  const shop = await renderInShop(<SellerCategoriesPage />, { at: '/seller/categories' })
  return { ...shop, requests, user: userEvent.setup() }
}
const rows = () => screen.queryAllByTestId('category-row')
const picture = (name: string, type: string, bytes = 10) => {
  const file = new File(['x'], name, { type })
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}
const NOT_REACHED = 'We could not reach the shop. Please try again in a moment.'
const MB = 1024 * 1024

describe('the list', () => {
  test('shows image, icon, description and how many products', async () => {
    await openPage()
    const row = within(
      (await screen.findByRole('rowheader', { name: 'Oil & Ghee' })).closest('tr') as HTMLElement,
    )
    expect(row.getByText('🛢️')).toBeInTheDocument()
    expect(row.getByText('Pressed and clarified.')).toBeInTheDocument()
    expect(row.getByText('6')).toBeInTheDocument()
    expect(screen.getByTestId('count')).toHaveTextContent('2 categories')
  })

  // spec: 2.scategories.1
  test('is searched in any case, stored in the address, and cleared', async () => {
    const { user, address } = await openPage()
    await screen.findByText('Tea')
    await user.type(screen.getByRole('searchbox', { name: 'Search categories' }), 'LEAV')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(address()).toContain('search=LEAV')
    await user.type(screen.getByRole('searchbox'), 'zzz')
    expect(await screen.findByRole('heading', { name: 'No categories match "LEAVzzz"' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  // spec: 8.seller.16, 8.seller.17, 8.seller.21
  test.each([
    [refused(422, 'x', ''), 'Failed to fetch categories'],
    [refused(401, 'signed_out', ''), 'Unauthorized access'],
    ['no network' as const, 'Failed to load categories. Please try again.'],
    [serverFailed, 'Failed to load categories. Please try again.'],
  ])('that fails says so and can be tried again', async (first, text) => {
    let answer = first as never
    const { user } = await openPage({ [LIST]: () => answer })
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    answer = ok([oil]) as never
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Oil & Ghee')).toBeInTheDocument()
  })

  test('empty, it says so; an ended session shows the door', async () => {
    const { unmount } = await openPage({ [LIST]: ok([]) })
    expect(await screen.findByRole('heading', { name: 'No categories yet' })).toBeInTheDocument()
    unmount()
    queryClient.clear()
    queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
    await openPage({ [LIST]: refused(401, 'signed_out', '') })
    await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
  })
})

describe('adding', () => {
  async function open(table: Table = {}) {
    const opened = await openPage(table)
    await opened.user.click(screen.getByRole('button', { name: 'Add category' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Add category' }))
    return {
      ...opened,
      dialog,
      submit: () => opened.user.click(dialog.getByRole('button', { name: 'Add category' })),
    }
  }
  async function fill({ user, dialog }: Awaited<ReturnType<typeof open>>) {
    await user.type(dialog.getByLabelText(/^Category name/), 'Spices')
    await user.type(dialog.getByLabelText(/^Description \(/), 'Hot and warm.')
    await user.upload(dialog.getByLabelText(/^Category image/), picture('a.png', 'image/png'))
    await user.upload(dialog.getByLabelText(/^Category icon/), picture('b.webp', 'image/webp'))
  }

  // spec: 5.category.1, 5.category.2, 5.category.3, 5.category.4
  test('empty, the four sentences', async () => {
    const { dialog, submit, requests } = await open()
    await submit()
    for (const text of [
      'Category name is required',
      'Description is required',
      'Category image is required',
      'Category icon is required',
    ])
      expect(dialog.getAllByText(text)).toHaveLength(2)
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  // spec: 5.category.5, 5.category.6, 9.const.14, 9.const.15
  test.each([/^Category image/, /^Category icon/])(
    '%s: a file that will not do is refused at once',
    async (label) => {
      const { dialog, user } = await open()
      const picker = dialog.getByLabelText(label)
      const any = userEvent.setup({ applyAccept: false })
      await any.upload(picker, picture('a.pdf', 'application/pdf'))
      expect(picker).toHaveAccessibleDescription(
        /Invalid file type\. Please upload a JPEG, PNG, GIF, or WebP image\./,
      )
      await user.upload(picker, picture('a.png', 'image/png', 11 * MB))
      expect(picker).toHaveAccessibleDescription(/File is too large\. Maximum size is 10MB\./)
      for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) {
        await user.upload(picker, picture('a', type, 10 * MB))
        expect(picker).toBeValid()
      }
      expect(dialog.getByAltText(/^Category (icon|image) preview/)).toBeInTheDocument()
    },
  )

  // spec: 8.success.11
  test('sends everything, and the new one is in the list', async () => {
    const opened = await open({ [ADD]: ok(aSellerCategory({ _id: 'c-3', slug: 'spices', name: 'Spices' })) })
    await fill(opened)
    await opened.submit()
    expect(await screen.findByTestId('toast')).toHaveTextContent(/^Category added successfully$/)
    const form = lastFormData(opened.requests)
    expect(form.get('name')).toBe('Spices')
    expect(form.get('description')).toBe('Hot and warm.')
    expect((form.get('image') as File).name).toBe('a.png')
    expect((form.get('icon') as File).name).toBe('b.webp')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('rowheader', { name: 'Spices' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Add category' })).toHaveFocus()
  })

  // spec: 8.seller.18, 8.seller.21, 8.seller.22, 8.seller.23
  test.each([
    [refused(422, 'x', 'No.'), 'Failed to add category', 'No.'],
    [
      refused(409, 'category_name_taken', 'x'),
      'Failed to add category',
      'A category with this name already exists.',
    ],
    [refused(401, 'x', ''), 'Unauthorized access', 'Unauthorized access'],
    [refused(401, 'x', 'Please log in again.'), 'Please log in again.', 'Please log in again.'],
    [
      serverFailed,
      'Internal server error. Please try again later.',
      'Internal server error. Please try again later.',
    ],
    [refused(503, 'busy', 'x'), 'An error occurred. Please try again.', NOT_REACHED],
    ['no network' as const, 'An error occurred. Please try again.', NOT_REACHED],
  ])('what does not work is told', async (answer, text, inline) => {
    const opened = await open({ [ADD]: answer })
    await fill(opened)
    await opened.submit()
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(opened.dialog.getAllByText(inline).length).toBeGreaterThan(0)
    expect(opened.dialog.getByLabelText(/^Category name/)).toHaveValue('Spices')
  })
})

describe('changing', () => {
  async function open(table: Table = {}) {
    const opened = await openPage(table)
    await opened.user.click(await screen.findByRole('button', { name: 'Edit Oil & Ghee' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Edit category' }))
    return { ...opened, dialog, save: () => opened.user.click(dialog.getByRole('button', { name: 'Save' })) }
  }

  // spec: 5.category.7, 8.success.12
  test('nothing is allowed too', async () => {
    const { save, requests } = await open({ [UPDATE]: ok(oil) })
    await save()
    expect(await screen.findByTestId('toast')).toHaveTextContent(/^Category updated successfully$/)
    expect(Object.fromEntries(lastFormData(requests).entries())).toEqual({ version: 'v1' })
    expect(screen.getByRole('button', { name: 'Edit Oil & Ghee' })).toHaveFocus()
  })

  test('of two who change it, one decides', async () => {
    const fresh = { ...oil, name: 'Oils', version: 'v2' }
    let answer = refused(409, 'category_changed', 'x', fresh)
    const { dialog, user, save, requests } = await open({ [UPDATE]: () => answer })
    await user.type(dialog.getByLabelText(/^Description \(/), ' Fresh.')
    await save()
    const conflict = within(await dialog.findByTestId('conflict'))
    expect(conflict.getByText(/Category name/).closest('li')).toHaveTextContent('Oil & Ghee → becomes Oils')
    answer = ok({ ...fresh, description: 'x' }) as typeof answer
    await user.click(conflict.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(Object.fromEntries(lastFormData(requests).entries())).toEqual({
      description: 'Pressed and clarified. Fresh.',
      version: 'v2',
    })
  })

  test('a picture that both replaced is named; theirs lets mine go', async () => {
    const fresh = { ...oil, image: '/media/other.jpg', version: 'v2' }
    let answer = refused(409, 'category_changed', 'x', fresh)
    const { dialog, user, save, requests } = await open({
      [LIST]: ok([{ ...oil, image: '/media/oil.jpg' }]),
      [UPDATE]: () => answer,
    })
    await user.upload(dialog.getByLabelText(/^Category image/), picture('a.png', 'image/png'))
    await user.upload(dialog.getByLabelText(/^Category icon/), picture('b.png', 'image/png'))
    await save()
    const conflict = await dialog.findByTestId('conflict')
    expect(within(conflict).getAllByRole('listitem')).toHaveLength(1)
    expect(
      within(conflict)
        .getByText(/Category image/)
        .closest('li'),
    ).toHaveTextContent('an image → becomes another image (you changed it too)')
    act(() => dialog.getByLabelText(/^Category name/).focus())
    await save()
    expect(conflict).toHaveFocus()
    answer = ok(fresh) as typeof answer
    await user.click(dialog.getByRole('button', { name: 'Use theirs' }))
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([...lastFormData(requests).keys()]).toEqual(['version', 'icon'])
  })

  test('the folded part stays open while its problem is being mended', async () => {
    const { dialog, user, save } = await open({
      [UPDATE]: refused(422, 'field_invalid', 'Too long.', { field: 'nameNe' }),
    })
    const more = dialog.getByText('Nepali name and description').closest('details') as HTMLDetailsElement
    await user.type(dialog.getByLabelText(/^Name in Nepali/), 'क')
    await save()
    await waitFor(() => expect(more.open).toBe(true))
    await user.type(dialog.getByLabelText(/^Name in Nepali/), 'ख')
    expect(more.open).toBe(true)
  })

  test('a list that was on its way before the save does not come over it', async () => {
    let now = oil
    const { dialog, user, save } = await open({
      [LIST]: () => ok([now]),
      [UPDATE]: () => {
        // Another seller changes the name once more.
        now = { ...oil, name: 'Fats', version: 'v3' }
        return ok({ ...oil, name: 'Oils', version: 'v2' })
      },
    })
    const real = globalThis.fetch
    const held: { request: Request; free: () => void }[] = []
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await real(request)
      await new Promise<void>((free) => held.push({ request, free }))
      return answer
    })
    void queryClient.invalidateQueries({ queryKey: ['seller', 'categories'] })
    await waitFor(() => expect(held).toHaveLength(1))
    await user.type(dialog.getByLabelText(/^Category name/), 's')
    await save()
    await screen.findByRole('rowheader', { name: 'Oils' })
    // The list is requested again instead.
    await waitFor(() => expect(held).toHaveLength(2))
    expect(held.map(({ request }) => request.signal.aborted)).toEqual([true, false])
    for (const { free } of held) free()
    expect(await screen.findByRole('rowheader', { name: 'Fats' })).toBeInTheDocument()
  })

  // spec: 8.seller.19, 8.seller.21, 8.seller.22, 8.seller.23
  test.each([
    [refused(422, 'x', ''), 'Failed to update category'],
    [refused(409, 'category_name_taken', 'x'), 'Failed to update category'],
    [refused(401, 'x', ''), 'Unauthorized access'],
    [serverFailed, 'Internal server error. Please try again later.'],
    [refused(503, 'busy', 'x'), 'An error occurred. Please try again.'],
    ['no network' as const, 'An error occurred. Please try again.'],
  ])('what does not work is told; closing with changes asks', async (answer, text) => {
    const { dialog, user, save } = await open({ [UPDATE]: answer })
    await user.type(dialog.getByLabelText(/^Category name/), 's')
    await save()
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('deleting', () => {
  async function open(name: string, table: Table) {
    const opened = await openPage(table)
    await opened.user.click(await screen.findByRole('button', { name: `Delete ${name}` }))
    return { ...opened, dialog: within(screen.getByRole('dialog', { name: 'Delete category?' })) }
  }

  // spec: 8.seller.20
  test('what is in use is said beforehand, and the server’s count when it refuses', async () => {
    const refusal = refused(409, 'category_in_use', '12 products use this category.', { products: 12 })
    const { dialog, user } = await open('Oil & Ghee', { [DELETE]: refusal })
    expect(dialog.getByText(/^6 products use this category\./)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to delete category')
    expect(dialog.getByText(/^12 products use this category\./)).toBeInTheDocument()
    expect(rows()).toHaveLength(2)
  })

  // spec: 8.success.13
  test('takes the row away; the next one has the focus', async () => {
    const { dialog, user } = await open('Tea', { 'DELETE /api/category/delete_category/tea': ok({}) })
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent(/^Category deleted successfully$/)
    expect(rows()).toHaveLength(1)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Oil & Ghee' })).toHaveFocus())
  })

  // spec: 8.seller.21, 8.seller.22, 8.seller.23
  test.each([
    [refused(401, 'x', ''), 'Unauthorized access'],
    [refused(401, 'x', 'Please log in again.'), 'Please log in again.'],
    [serverFailed, 'Internal server error. Please try again later.'],
    [refused(503, 'busy', 'x'), 'An error occurred. Please try again.'],
    ['no network' as const, 'An error occurred. Please try again.'],
  ])('what does not work is told', async (answer, text) => {
    const { dialog, user } = await open('Oil & Ghee', { [DELETE]: answer })
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  })
})
