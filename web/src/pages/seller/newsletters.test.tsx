import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Newsletter } from '@/features/newsletter/seller/newsletters-api'
import { SellerNewsletterPage } from '@/pages/seller/newsletter-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/newsletter/get_newsletters'
const SAVE = 'POST /api/newsletter/save_newsletter'
const CHANGE = 'POST /api/newsletter/change_newsletter'
const PREVIEW = 'POST /api/newsletter/preview'
const TEST = 'POST /api/newsletter/send_test'
type Table = Parameters<typeof mockServer>[0]

const aNewsletter = (changes: Partial<Newsletter> = {}): Newsletter => ({
  _id: 'n-1',
  state: 'draft',
  subject: 'Tihar offers',
  subjectNe: 'तिहारका अफर',
  body: '**Rice**',
  bodyNe: '**चामल**',
  createdAt: '2026-11-15T08:20:00Z',
  updatedAt: '2026-11-15T08:20:00Z',
  startedAt: null,
  finishedAt: null,
  queued: 0,
  sent: 0,
  failed: 0,
  unsubscribed: 0,
  ...changes,
})

async function open(newsletters: Newsletter[], table: Table = {}, changes: object = {}) {
  const subscribers = { body: { success: true, message: '', data: [], nextCursor: null, total: 0 } }
  const requests = mockServer({
    'GET /api/subscriber/get_subscribers': subscribers,
    [LIST]: () => ok({ newsletters, confirmed: 120, unasked: 0, nextAt: null, ...changes }),
    ...table,
  })
  await renderInShop(<SellerNewsletterPage />, { at: '/seller/newsletter' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Newsletters' }))
  await screen.findByText('120 confirmed subscribers would get it.')
  return { requests, user }
}

test('a newsletter is written in both languages and saved as a draft', async () => {
  const { requests, user } = await open([], { [SAVE]: ok({ _id: 'n-1' }) })
  await user.click(screen.getByRole('button', { name: 'Write a newsletter' }))
  await user.type(screen.getByLabelText('Subject'), 'Tihar')
  await user.type(screen.getByLabelText('Text'), 'Lamps and oil.')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  expect(await screen.findByText('Enter the subject and the text in both languages.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Nepali' }))
  await user.type(screen.getByLabelText('Subject'), 'तिहार')
  await user.type(screen.getByLabelText('Text'), 'बत्ती र तेल।')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(requests.find(({ path }) => path.endsWith('save_newsletter'))?.body).toEqual({
    subject: 'Tihar',
    subjectNe: 'तिहार',
    body: 'Lamps and oil.',
    bodyNe: 'बत्ती र तेल।',
  })
})

test('the preview shows the whole email, and a test email goes to oneself', async () => {
  const preview = {
    brand: 'Thunse',
    subject: 'Tihar offers',
    greeting: 'Namaste,',
    html: '<p><strong>Rice</strong></p>',
    closing: 'Kind regards, Thunse',
    note: 'You get this email because you subscribed.',
    unsubscribe: 'Unsubscribe',
  }
  const { requests, user } = await open([aNewsletter()], {
    [PREVIEW]: ok(preview),
    [SAVE]: ok({ _id: 'n-1' }),
    [TEST]: ok({}, 'Test email sent to sita@example.com.'),
  })
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  await user.click(screen.getByRole('button', { name: 'Preview on a phone' }))
  const shown = await screen.findByTestId('email-preview')
  for (const text of ['Tihar offers', 'Namaste,', 'Rice', 'Kind regards', 'Unsubscribe'])
    expect(shown).toHaveTextContent(text)
  await user.click(screen.getByRole('button', { name: 'Send test email' }))
  expect(await screen.findByText('Test email sent to sita@example.com.')).toBeInTheDocument()
  expect(requests.find(({ path }) => path.endsWith('send_test'))?.body).toEqual({
    _id: 'n-1',
    language: 'en',
  })
})

test('it is sent after a question, and the weekly promise is explained if it is too soon', async () => {
  const message =
    'The form promises at most one newsletter a week. You can send the next one from 2026-11-22 14:05.'
  const { requests, user } = await open(
    [aNewsletter()],
    { [CHANGE]: refused(409, 'newsletter_too_soon', message) },
    { nextAt: '2026-11-22T08:20:00Z' },
  )
  expect(screen.getByText(/You can send the next one from 22 Nov 2026, 14:05/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Send to subscribers' }))
  const question = screen.getByRole('dialog')
  expect(question).toHaveTextContent('120 confirmed subscribers get this newsletter.')
  await user.click(within(question).getByRole('button', { name: 'Send to subscribers' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent(message)
  expect(requests.find(({ path }) => path.endsWith('change_newsletter'))?.body).toEqual({
    _id: 'n-1',
    action: 'send',
  })
})

test.each([
  ['sending', 'Pause', 'pause'],
  ['paused', 'Resume', 'resume'],
])('one that is %s shows its progress and can be changed', async (state, label, action) => {
  const counts = { queued: 60, sent: 57, failed: 3, unsubscribed: 1 }
  const { requests, user } = await open([aNewsletter({ state, ...counts })], { [CHANGE]: ok(aNewsletter()) })
  const card = screen.getByTestId('newsletter')
  for (const text of ['60 waiting', '57 sent', '3 failed', '1 unsubscribed'])
    expect(card).toHaveTextContent(text)
  expect(within(card).getByRole('progressbar')).toHaveAccessibleName('57 of 120 sent')
  await user.click(within(card).getByRole('button', { name: label }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path.endsWith('change_newsletter'))?.body).toEqual({
      _id: 'n-1',
      action,
    }),
  )
})

test('one that was sent can only be read', async () => {
  await open([aNewsletter({ state: 'sent', sent: 120 })])
  const card = screen.getByTestId('newsletter')
  expect(within(card).queryAllByRole('button')).toEqual([])
})

test('subscribers from before confirmations are asked on request', async () => {
  const { user } = await open(
    [],
    { 'POST /api/newsletter/ask_unconfirmed': ok({}, 'We asked 7 subscribers to confirm.') },
    { unasked: 7 },
  )
  await user.click(screen.getByRole('button', { name: 'Ask them to confirm' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('We asked 7 subscribers to confirm.')
})
