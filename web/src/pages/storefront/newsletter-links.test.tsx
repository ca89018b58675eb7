import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ConfirmNewsletterPage } from '@/pages/storefront/confirm-newsletter-page'
import { NewsletterUnsubscribePage } from '@/pages/storefront/newsletter-unsubscribe-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

afterEach(() => window.history.replaceState(null, '', '/'))
const openEmailLink = (path: string, token: string) =>
  window.history.replaceState(null, '', token ? `${path}#token=${token}` : path)

const CONFIRM = 'POST /api/subscriber/confirm'
const INVALID = refused(404, 'link_invalid', 'This link is no longer valid. Please subscribe again.')

test('the link of the first email confirms the subscription', async () => {
  openEmailLink('/newsletter/confirm', 't-1')
  const requests = mockServer({ [CONFIRM]: ok({}) })
  await renderInShop(<ConfirmNewsletterPage />)
  expect(await screen.findByRole('heading', { name: 'Your subscription is confirmed' })).toBeInTheDocument()
  expect(requests[0]?.body).toEqual({ token: 't-1' })
  expect(window.location.href).not.toContain('t-1')
})

test.each([
  ['a link that is not valid any more', 't-2', INVALID],
  ['a link without its token', '', INVALID],
])('%s says so', async (_what, token, answer) => {
  openEmailLink('/newsletter/confirm-again', token)
  mockServer({ [CONFIRM]: answer })
  await renderInShop(<ConfirmNewsletterPage />)
  expect(await screen.findByText(/This link is no longer valid/)).toBeInTheDocument()
})

test('a lost connection can be tried again', async () => {
  openEmailLink('/newsletter/confirm', 't-3')
  let attempts = 0
  mockServer({ [CONFIRM]: () => (++attempts === 1 ? { status: 500, body: {} } : ok({})) })
  await renderInShop(<ConfirmNewsletterPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Your subscription is confirmed' })).toBeInTheDocument()
})

test('opening the link of a newsletter asks first, and one press unsubscribes', async () => {
  openEmailLink('/newsletter/unsubscribe', 't-4')
  const requests = mockServer({ 'POST /api/subscriber/unsubscribe/t-4': ok({}) })
  await renderInShop(<NewsletterUnsubscribePage />)
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }))
  expect(await screen.findByRole('heading', { name: 'You have been unsubscribed' })).toBeInTheDocument()
  expect(requests).toHaveLength(1)
})

test('unsubscribing without a connection can be pressed again', async () => {
  openEmailLink('/newsletter/unsubscribe', 't-5')
  mockServer({ 'POST /api/subscriber/unsubscribe/t-5': 'no network' })
  await renderInShop(<NewsletterUnsubscribePage />)
  await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }))
  expect(await screen.findByText(/could not be reached/)).toBeInTheDocument()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Unsubscribe' })).toBeEnabled())
})
