import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { AuditEntry } from '@/features/staff/audit-api'
import { activateLang } from '@/lib/i18n'
import { SellerAuditPage } from '@/pages/seller/audit-page'
import { SellerNewsletterPage } from '@/pages/seller/newsletter-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, refused, serverFailed } from '@/test/server'

type Table = Parameters<typeof mockServer>[0]
const page = (data: object[], more: object = {}) => ({
  body: { success: true, message: '', data, nextCursor: null, ...more },
})

async function open(piece: ReactElement, table: Table, at: string) {
  const requests: string[] = []
  mockServer(table)
  const plain = fetch
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(new URL(request.url).searchParams.get('search') ?? '')
    return plain(request)
  })
  await renderInShop(piece, { at: at as never })
  return { requests, user: userEvent.setup() }
}

afterEach(async () => {
  vi.restoreAllMocks()
  await activateLang('en')
})

const clearButton = () => screen.getByRole('button', { name: 'Clear search' })

describe('the newsletter', () => {
  const LIST = 'GET /api/subscriber/get_subscribers'
  const sita = { _id: 's-1', email: 'sita@example.com', language: 'ne', createdAt: '2026-11-15T08:20:00Z' }
  const openList = (answer: Table[string] = page([sita], { total: 1234 })) =>
    open(<SellerNewsletterPage />, { [LIST]: answer }, '/seller/newsletter')

  test('lists who subscribed, when and in which language, and counts them', async () => {
    await openList()
    const row = await screen.findByTestId('subscriber')
    for (const text of ['sita@example.com', 'Nepali', '15 Nov 2026, 14:05'])
      expect(row).toHaveTextContent(text)
    expect(screen.getByText('1234 subscribers')).toBeInTheDocument()
  })

  const CSV = 'GET /api/subscriber/export_subscribers.csv'
  const press = async (answer: Table[string]) => {
    mockServer({ [LIST]: page([sita], { total: 1 }), [CSV]: answer })
    await renderInShop(<SellerNewsletterPage />, { at: '/seller/newsletter' as never })
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
  }

  test('is downloaded as a file', async () => {
    const saved: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    await press(page([]))
    await waitFor(() => expect(saved).toEqual(['subscribers.csv']))
  })

  test.each([
    [refused(429, 'too_many', 'Too many downloads.'), 'Too many downloads.'],
    [serverFailed, 'An error occurred while fetching the subscribers. Please try again.'],
    ['no network' as const, 'An error occurred while fetching the subscribers. Please try again.'],
  ])('a download that fails is told, and no file is saved', async (failure, text) => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
    await press(failure)
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(click).not.toHaveBeenCalled()
  })

  test('a download after the session has ended shows the door', async () => {
    queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
    await press(refused(401, 'signed_out', 'Please log in again.'))
    await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
  })

  test('is searched, and what finds nothing can be cleared', async () => {
    let rows = [sita]
    const { user, requests } = await openList(() => page(rows, { total: rows.length }))
    await screen.findByTestId('subscriber')
    rows = []
    await user.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'zzz')
    expect(await screen.findByText('No emails match "zzz"')).toBeInTheDocument()
    expect(requests.at(-1)).toBe('zzz')
    await user.click(clearButton())
    expect(screen.getByRole('searchbox')).toHaveValue('')
    expect(screen.getByRole('searchbox')).toHaveFocus()
  })

  test('says when nobody is there', async () => {
    await openList(page([], { total: 0 }))
    expect(await screen.findByText('No subscribers yet')).toBeInTheDocument()
  })

  test.each([
    [refused(400, 'x', ''), 'Failed to fetch the subscribers.'],
    [serverFailed, 'An error occurred while fetching the subscribers. Please try again.'],
  ])('says when it cannot be had', async (failure, text) => {
    await openList(failure)
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument()
  })
})

describe('the audit log', () => {
  const LIST = 'GET /api/seller/get_audit'
  const anEntry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
    _id: '1',
    at: '2026-11-15T08:20:00Z',
    seller: 'Ram',
    action: 'order.status',
    object: 'o-1',
    about: 'TH7K2M',
    before: 'Order Placed',
    after: 'Delivered',
    ...changes,
  })
  const openLog = (answer: Table[string]) => open(<SellerAuditPage />, { [LIST]: answer }, '/seller/audit')
  const entries = (...all: Partial<AuditEntry>[]) =>
    page(all.map((each, n) => anEntry({ _id: String(n), ...each })))

  test('says who did what to which thing, from what to what, and when in Nepal', async () => {
    await openLog(entries({}))
    const row = await screen.findByTestId('audit-entry')
    expect(row).toHaveTextContent('Order status changed#TH7K2MOrder Placed → DeliveredRam15 Nov 2026, 14:05')
    expect(within(row).getByRole('link', { name: '#TH7K2M' })).toHaveAttribute(
      'href',
      '/seller/orders#TH7K2M',
    )
    await act(() => activateLang('ne'))
    expect(row).toHaveTextContent('अर्डरको स्थिति बदलियो')
    expect(row).not.toHaveTextContent('Delivered')
  })

  test('what changed in a product is told column by column', async () => {
    await openLog(
      entries({
        action: 'product.update',
        about: 'Mustard Oil',
        before: 'price: 120; name_ne: तेल; picture: a.webp',
        after: 'price: 130; name_ne: ; picture: b.webp',
      }),
    )
    const items = within(await screen.findByTestId('audit-entry')).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Price: 120 → 130',
      'Name in Nepali: तेल cleared',
      'Image: replaced',
    ])
    expect(screen.getByRole('link', { name: 'Mustard Oil' })).toHaveAttribute(
      'href',
      '/seller?search=Mustard+Oil',
    )
  })

  test('codes have words, things that are gone no link, and the unknown stays as it is', async () => {
    await openLog(
      entries(
        { action: 'case.close', before: 'paid_twice', after: 'closed' },
        { action: 'order.delivery_date', before: '2026-11-17', after: '2026-11-20' },
        { action: 'payment.refund', before: '', after: 'requested' },
        { action: 'product.delete', about: 'Old Soap', before: 'old-soap', after: '' },
        { action: 'newsletter.export', about: '', before: '', after: '12 addresses' },
        { action: 'product.add', about: 'Soap', before: '', after: 'price 120.00, stock 5' },
        { action: 'product.add', about: 'Tea', before: '', after: 'by import' },
        { action: 'seller.rename', about: 'Ram', before: '', after: '' },
      ),
    )
    const rows = await screen.findAllByTestId('audit-entry')
    expect(rows[0]).toHaveTextContent('Paid twice: one payment must be refunded. → handled')
    expect(rows[1]).toHaveTextContent('17 Nov 2026 → 20 Nov 2026')
    expect(rows[2]).toHaveTextContent('Refund requested')
    expect(rows[3]).toHaveTextContent('Product deletedOld Soap')
    expect(within(rows[3] as HTMLElement).queryByRole('link')).toBeNull()
    expect(rows[4]).toHaveTextContent('Subscriber list downloaded12 addresses')
    expect(rows[5]).toHaveTextContent('Price 120.00, stock 5')
    expect(rows[6]).toHaveTextContent('from a spreadsheet')
    expect(rows[7]).toHaveTextContent('seller.rename')
    await act(() => activateLang('ne'))
    expect(rows[5]).toHaveTextContent('मूल्य १२०.००, स्टक ५')
  })

  test('is searched, paged, and says when there is nothing', async () => {
    const { user, requests } = await openLog(page([]))
    expect(await screen.findByText('No changes yet')).toBeInTheDocument()
    await user.type(screen.getByRole('searchbox', { name: 'Search by person, action or item' }), 'oil')
    expect(await screen.findByText('No entries match "oil"')).toBeInTheDocument()
    // An empty list has no match, which is known before the response arrives.
    await waitFor(() => expect(requests.at(-1)).toBe('oil'))
    await user.click(clearButton())
    expect(screen.getByRole('searchbox')).toHaveFocus()
  })

  test('its next page comes when asked for', async () => {
    const { user } = await openLog(({ query }) =>
      query?.cursor ? page([anEntry({ _id: '2' })]) : page([anEntry()], { nextCursor: '7' }),
    )
    await screen.findByTestId('audit-entry')
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(screen.getAllByTestId('audit-entry')).toHaveLength(2))
  })

  test.each([
    [refused(400, 'x', ''), 'Failed to fetch the audit log.'],
    [serverFailed, 'An error occurred while fetching the audit log. Please try again.'],
  ])('says when it cannot be had', async (failure, text) => {
    await openLog(failure)
    expect(await screen.findByTestId('toast')).toHaveTextContent(text)
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument()
  })

  test('an ended session shows the door', async () => {
    queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
    await openLog(refused(401, 'signed_out', ''))
    await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
  })
})
