import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Footer } from '@/app/footer'
import { activateLang } from '@/lib/i18n'
import { AboutPage } from '@/pages/storefront/about-page'
import { PolicyPage } from '@/pages/storefront/policy-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

afterEach(() => activateLang('en'))

const page = (name: string, changes: object = {}) =>
  ok({
    page: name,
    version: 0,
    updatedAt: null,
    html: `<h2>In English</h2><p>About <strong>${name}</strong>.</p>`,
    htmlNe: '<h2>नेपालीमा</h2>',
    ...changes,
  })

test.each([
  ['/privacy', 'privacy', 'Privacy policy'],
  ['/terms', 'terms', 'Terms of use'],
  ['/returns', 'returns', 'Returns and refunds'],
  ['/delivery-policy', 'delivery', 'Delivery policy'],
])('%s shows its own text in the language of the reader', async (at, name, title) => {
  mockServer({ [`GET /api/policy/get_policy/${name}`]: page(name) })
  await renderInShop(<PolicyPage />, { at })
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeInTheDocument()
  expect(await screen.findByRole('heading', { name: 'In English' })).toBeInTheDocument()
  expect(screen.getByText(name, { selector: 'strong' })).toBeInTheDocument()
  await activateLang('ne')
  expect(await screen.findByRole('heading', { name: 'नेपालीमा' })).toBeInTheDocument()
})

test('an edited page says when it was last changed', async () => {
  mockServer({ 'GET /api/policy/get_policy/terms': page('terms', { updatedAt: '2026-11-15T08:20:00Z' }) })
  await renderInShop(<PolicyPage />, { at: '/terms' })
  expect(await screen.findByText('Last changed on 15 Nov 2026')).toBeInTheDocument()
})

test('a page that does not load can be tried again', async () => {
  mockServer({ 'GET /api/policy/get_policy/privacy': refused(400, 'x', '') })
  await renderInShop(<PolicyPage />, { at: '/privacy' })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument()
})

test("the about page shows the shop's own text below the fixed one", async () => {
  mockServer({ 'GET /api/policy/get_policy/about': page('about') })
  await renderInShop(<AboutPage />, { at: '/about' })
  const own = await screen.findByRole('heading', { name: 'In English' })
  const fixed = screen.getByRole('heading', { name: 'How to pay' })
  expect(fixed.compareDocumentPosition(own)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('the footer links to every policy, in both languages', async () => {
  await renderInShop(<Footer />)
  const links = () =>
    ['/privacy', '/terms', '/returns', '/delivery-policy'].map(
      (href) => document.querySelector(`footer a[href="${href}"]`)?.textContent,
    )
  expect(links()).toEqual(['Privacy policy', 'Terms of use', 'Returns and refunds', 'Delivery policy'])
  await activateLang('ne')
  await waitFor(() => expect(links()).toEqual(['गोपनीयता नीति', 'प्रयोगका सर्त', 'फिर्ता नीति', 'डेलिभरी नीति']))
})
