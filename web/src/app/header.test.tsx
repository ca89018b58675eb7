import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Footer } from '@/app/footer'
import { Header } from '@/app/header'
import { AuthDialog } from '@/features/accounts/auth-dialog'
import { settings } from '@/lib/first-data'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, refused } from '@/test/server'

const LINKS = { Home: '/', Products: '/products', Categories: '/categories', Offers: '/offers' }
const before = structuredClone(settings)
afterEach(() => Object.assign(settings, structuredClone(before)))

async function openHeader(at = '/') {
  mockServer({ 'GET /api/user/isAuth': refused(401, 'signed_out', '') })
  const shop = await renderInShop(
    <>
      <Header messages={null} />
      <AuthDialog />
    </>,
    { at },
  )
  return { ...shop, user: userEvent.setup() }
}

// spec: 2.header.2, 2.header.3, 2.header.4, 2.header.6, 2.header.7
test('the header holds the logo, four links, the search, the cart and Login', async () => {
  await openHeader('/products')
  expect(screen.getByRole('link', { name: /Thunse/ })).toHaveAttribute('href', '/')
  const nav = within(screen.getByRole('navigation', { name: 'Main' }))
  const found = nav.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(found).toEqual(Object.entries(LINKS))
  expect(nav.getByRole('link', { name: 'Products' })).toHaveAttribute('aria-current', 'page')
  expect(screen.getByPlaceholderText('Search products...')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: /^Cart/ })).toHaveAttribute('href', '/cart')
  expect(await screen.findByRole('button', { name: 'Login' })).toBeInTheDocument()
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('the menu holds the same links and the one search box, and a link to the page one is on closes it', async () => {
  const { user } = await openHeader()
  const button = screen.getByRole('button', { name: 'Open menu' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  await user.click(button)
  const menu = within(screen.getByRole('dialog', { name: 'Menu' }))
  const found = menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(found).toEqual(Object.entries(LINKS))
  expect(menu.getByPlaceholderText('Search products...')).toBe(
    screen.getByPlaceholderText('Search products...'),
  )
  await user.click(menu.getByRole('link', { name: 'Home' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

// spec: 2.shell.3, 6.visitor.4
test('Login opens the window for login and sign-up, which is not there before', async () => {
  const { user } = await openHeader()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Login' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByLabelText('Password')).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Sign Up' })).toBeInTheDocument()
})

// spec: 2.footer.1, 2.footer.2, 2.footer.3
test('the footer has quick links, and the contact details and social links that are set', async () => {
  Object.assign(settings, {
    contact: { phone: '01-4123456', email: 'hello@thunse.example', address: 'Patan', addressNe: '' },
    social: [{ name: 'Facebook', url: 'https://facebook.example/thunse' }],
  })
  await renderInShop(<Footer />)
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['About us', '/about'],
    ['Products', '/products'],
    ['Categories', '/categories'],
    ['Privacy policy', '/privacy'],
    ['Terms of use', '/terms'],
    ['Returns and refunds', '/returns'],
    ['Delivery policy', '/delivery-policy'],
    ['01-4123456', 'tel:014123456'],
    ['hello@thunse.example', 'mailto:hello@thunse.example'],
    ['Facebook', 'https://facebook.example/thunse'],
  ])
  expect(screen.getByText('Patan')).toBeInTheDocument()
})

test('what is not set leaves no place in the footer', async () => {
  Object.assign(settings, {
    contact: { phone: '', email: '', address: '', addressNe: '' },
    social: [],
  })
  await renderInShop(<Footer />)
  expect(screen.getAllByRole('link')).toHaveLength(7)
  expect(screen.getAllByRole('heading')).toHaveLength(2)
})
