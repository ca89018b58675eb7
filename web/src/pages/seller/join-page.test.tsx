import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { JoinPage } from '@/pages/seller/join-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const GET = 'POST /api/seller/invitation/get'
const ACCEPT = 'POST /api/seller/invitation/accept'
type Table = Parameters<typeof mockServer>[0]

async function openPage(table: Table, hash = '#token=t-1') {
  const requests = mockServer(table)
  window.history.replaceState(null, '', `/seller/join${hash}`)
  const shop = await renderInShop(<JoinPage />, { at: `/seller/join${hash}` })
  return { ...shop, requests, user: userEvent.setup() }
}

test('an invited person chooses a name and a password, and is in', async () => {
  const seller = { name: 'Hari Thapa', email: 'hari@example.com', role: 'packer' }
  const { user, requests } = await openPage({
    [GET]: ok({ email: 'hari@example.com', name: 'Hari', role: 'packer' }),
    [ACCEPT]: ({ body }) =>
      (body as { password: string }).password.length < 12
        ? refused(422, 'password_short', 'Too short.')
        : ok(seller),
  })
  expect(await screen.findByText(/You are invited as: Packer/)).toBeInTheDocument()
  const name = screen.getByLabelText('Your name')
  await user.clear(name)
  await user.type(name, 'Hari Thapa')
  const password = screen.getByLabelText('New password')
  await user.type(password, 'short')
  await user.click(screen.getByRole('button', { name: 'Join' }))
  await waitFor(() => expect(password).toHaveAccessibleDescription(/Too short\./))
  await user.clear(password)
  await user.type(password, 'a shelf of mustard oil')
  await user.click(screen.getByRole('button', { name: 'Join' }))
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toEqual(seller))
  expect(requests.findLast(({ path }) => path.endsWith('/accept'))?.body).toEqual({
    token: 't-1',
    name: 'Hari Thapa',
    password: 'a shelf of mustard oil',
  })
})

test('a link that is no longer valid says so', async () => {
  await openPage({ [GET]: refused(404, 'invitation_invalid', 'This link is no longer valid.') })
  expect(await screen.findByText('This link is no longer valid.')).toBeInTheDocument()
})
