import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SubscribeForm } from '@/features/newsletter/subscribe-form'
import { renderInShop } from '@/test/render-in-shop'

const FAILURE = 'Email already exists or invalid email address'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function serverAnswers(answer: () => Promise<Response>) {
  const requests = vi.fn((_request: Request) => answer())
  vi.stubGlobal('fetch', requests)
  return requests
}

async function subscribe(email: string) {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await renderInShop(<SubscribeForm />)
  await user.type(screen.getByLabelText('Email address'), email)
  await user.click(screen.getByRole('button', { name: 'Subscribe' }))
}

// spec: 4.newsletter.1, 8.success.1, 9.const.11
test('a new subscriber sees Subscribed! for three seconds', async () => {
  const requests = serverAnswers(async () =>
    Response.json({ success: true, message: '', data: { email: 'a@b.np' } }),
  )
  await subscribe('a@b.np')
  expect(await screen.findByRole('button', { name: 'Subscribed!' })).toBeInTheDocument()
  expect(screen.getByTestId('toast')).toHaveTextContent('Subscribed successfully!')
  expect(await requests.mock.calls[0]?.[0].json()).toEqual({ email: 'a@b.np' })
  act(() => void vi.advanceTimersByTime(2500))
  expect(screen.getByRole('button', { name: 'Subscribed!' })).toBeInTheDocument()
  act(() => void vi.advanceTimersByTime(600))
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeInTheDocument()
})

// spec: 8.newsletter.1
test.each([
  [
    'a refusal',
    async () => Response.json({ success: false, code: 'subscriber_exists', message: 'x' }, { status: 409 }),
  ],
  ['an unsuccessful answer', async () => Response.json({ success: false, message: 'x' })],
  ['a server fault', async () => new Response('', { status: 500 })],
  ['no network', async () => Promise.reject(new TypeError('no network'))],
])('%s gets the one sentence for every failure, in the toast and beside the field', async (_what, answer) => {
  const requests = serverAnswers(answer)
  await subscribe('a@b.np')
  expect(await screen.findByTestId('toast')).toHaveTextContent(FAILURE)
  expect(screen.getAllByText(FAILURE)).toHaveLength(2)
  expect(screen.getByLabelText('Email address')).toHaveValue('a@b.np')
  expect(requests).toHaveBeenCalledOnce()
})

test('while it is being sent the button says so and cannot be pressed again', async () => {
  serverAnswers(() => new Promise(() => {}))
  await subscribe('a@b.np')
  expect(screen.getByRole('button', { name: 'Subscribing…' })).toBeDisabled()
})

// spec: 5.newsletter.1
test('the field is required and of e-mail type, as the browser checks it', async () => {
  await renderInShop(<SubscribeForm />)
  const field = screen.getByLabelText('Email address')
  expect(field).toBeRequired()
  expect(field).toHaveAttribute('type', 'email')
})
