import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { initials } from '@/features/accounts/avatar'
import { HeaderAccount } from '@/features/accounts/header-account'
import { sessions } from '@/features/accounts/session'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

beforeEach(() => queryClient.setQueryData(sessions.user.queryKey, aUser()))

async function openMenu() {
  const shop = await renderInShop(<HeaderAccount />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: "Sita Sharma's account" }))
  return { ...shop, user }
}

// spec: 2.header.8, 2.header.9, 2.header.10
test('the menu names the person and leads to profile and orders', async () => {
  const { address, user } = await openMenu()
  expect(screen.queryByRole('button', { name: 'Login' })).toBeNull()
  expect(screen.getByText('Sita Sharma')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/orders')
  expect(screen.getByRole('link', { name: 'Favourites' })).toHaveAttribute('href', '/favourites')
  await user.click(screen.getByRole('link', { name: 'Profile' }))
  await expect.poll(address).toBe('/profile')
  expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull()
})

test('Tab walks through it; Escape closes it and gives the focus back', async () => {
  const { user } = await openMenu()
  expect(screen.getByRole('button', { name: "Sita Sharma's account" })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  for (const [role, name] of [
    ['link', 'Profile'],
    ['link', 'My Orders'],
    ['link', 'Favourites'],
    ['button', 'Logout'],
  ] as const) {
    await user.tab()
    expect(screen.getByRole(role, { name })).toHaveFocus()
  }
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull()
  expect(screen.getByRole('button', { name: "Sita Sharma's account" })).toHaveFocus()
})

// spec: 2.header.11, 8.success.2
test('logging out forgets the person on this device too', async () => {
  const requests = mockServer({ 'GET /api/user/logout': ok({}) })
  queryClient.setQueryData(['person', 'addresses'], [])
  sessionStorage.setItem('thunse.person.address', '{}')
  localStorage.setItem('thunse.cart', '{"p":1}')
  const { user } = await openMenu()
  await user.click(screen.getByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logout successful!')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
  expect(requests).toHaveLength(1)
  expect(queryClient.getQueryData(['person', 'addresses'])).toBeUndefined()
  expect(sessionStorage.getItem('thunse.person.address')).toBeNull()
  // The cart belongs to the device until it has been saved on the server.
  expect(localStorage.getItem('thunse.cart')).not.toBeNull()
})

// spec: 8.session.11, 8.session.12
test.each([
  ['an unsuccessful answer', { body: { success: false } }, 'Logout failed. Please try again.'],
  ['a no', refused(403, 'cross_site', 'x'), 'Logout failed. Please try again.'],
  ['a fault', serverFailed, 'An error occurred during logout. Please try again.'],
  ['no network', 'no network' as const, 'An error occurred during logout. Please try again.'],
])('%s leaves the person signed in', async (_what, answer, text) => {
  const requests = mockServer({ 'GET /api/user/logout': answer })
  const { user } = await openMenu()
  await user.click(screen.getByRole('button', { name: 'Logout' }))
  expect(await screen.findByText(text)).toBeInTheDocument()
  expect(requests).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Login' })).toBeNull()
})

test('initials are the first and the last name, whole Devanagari letters', () => {
  expect(initials('Sita Kumari Sharma')).toBe('SS')
  expect(initials('  sita ')).toBe('S')
  expect(initials('सीता शर्मा')).toBe('सीश')
  expect(initials('')).toBe('')
})
