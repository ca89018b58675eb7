import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { UndeliveredList } from '@/features/alerts/undelivered-list'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok } from '@/test/server'
import { settled } from '@/test/settled'

const LIST = 'GET /api/seller/alerts/undelivered'
const failed = {
  id: 'd-1',
  channel: 'push',
  about: 'new_order',
  order: 'TH7K2M',
  recipient: 'Sita',
  problem: 'the push service did not accept the message: 500',
  failedAt: '2026-11-17T02:00:00Z',
}

afterEach(() => queryClient.clear())

test('each message says what it was, for whom and why it did not arrive, and is sent again', async () => {
  let list = [failed]
  const requests = mockServer({
    [LIST]: () => ok(list),
    'POST /api/seller/alerts/retry': () => {
      list = []
      return ok({})
    },
  })
  await renderInShop(<UndeliveredList />, { at: '/seller/attention' })
  const row = await screen.findByTestId('undelivered')
  for (const text of ['New order', '#TH7K2M', 'Notification', 'Sita', '500'])
    expect(row).toHaveTextContent(text)

  await userEvent.click(screen.getByRole('button', { name: /Try again/ }))

  await waitFor(() => expect(screen.queryByTestId('undelivered')).toBeNull())
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ id: 'd-1' })
})

test('without such messages nothing is shown', async () => {
  const requests = mockServer({ [LIST]: ok([]) })
  await renderInShop(<UndeliveredList />, { at: '/seller/attention' })
  await settled()
  expect(requests).toHaveLength(1)
  expect(screen.queryByText('Messages that were not delivered')).toBeNull()
})
