import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { UnsubscribePage } from '@/pages/storefront/unsubscribe-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const POST = 'POST /api/alerts/unsubscribe'

async function openPage(answer: Parameters<typeof mockServer>[0][string]) {
  history.replaceState(null, '', '/unsubscribe#token=t-1')
  const requests = mockServer({ [POST]: answer })
  await renderInShop(<UnsubscribePage />, { at: '/unsubscribe' })
  return requests
}

test('the emails are turned off by a press, not by opening the page', async () => {
  const requests = await openPage(ok({}))
  const button = await screen.findByRole('button', { name: 'Turn off these emails' })
  expect(requests).toHaveLength(0)

  await userEvent.click(button)

  expect(await screen.findByRole('heading', { name: 'These emails are off' })).toBeInTheDocument()
  expect(requests.map(({ query }) => query)).toEqual([{ token: 't-1' }])
})

test('a wrong link says so, and the button stays', async () => {
  await openPage(refused(404, 'link_invalid', 'This link is not valid.'))
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off these emails' }))
  expect(await screen.findByText('This link is not valid.')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Turn off these emails' })).toBeInTheDocument()
})
