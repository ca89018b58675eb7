import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { holdTime, pass } from '@/test/time'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** Longer than all delays between the attempts of one load. */
const ALL_TRIES_MS = 5000

function Greeting({ name }: { name: string }) {
  return <p>Namaste {name}</p>
}

test('a part that could not be fetched can be tried again, and is then there at once', async () => {
  holdTime()
  let attempts = 0
  const Part = lazyWithRetry(
    async () => {
      if (++attempts <= 3) throw new Error('bad line')
      return Greeting
    },
    <p>Waiting</p>,
  )
  const { unmount } = render(<Part name="Sita" />)
  await pass(500)
  expect(screen.getByText('Waiting')).toBeInTheDocument()
  await pass(ALL_TRIES_MS)
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Namaste Sita')).toBeInTheDocument()
  unmount()
  render(<Part name="Ram" />)
  expect(screen.getByText('Namaste Ram')).toBeInTheDocument()
  expect(attempts).toBe(4)
})

test('a part that comes at the second try needs no press', async () => {
  holdTime()
  let attempts = 0
  const Part = lazyWithRetry(async () => {
    if (++attempts === 1) throw new Error('bad line')
    return Greeting
  })
  render(<Part name="Sita" />)
  await pass(ALL_TRIES_MS)
  expect(await screen.findByText('Namaste Sita')).toBeInTheDocument()
  expect(attempts).toBe(2)
})

test('a part that is gone from the server offers to reload the page, and does nothing unasked', async () => {
  holdTime()
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const Part = lazyWithRetry<object>(async () => {
    throw new Error('404')
  })
  render(<Part />)
  await pass(ALL_TRIES_MS)
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await pass(ALL_TRIES_MS)
  const button = await screen.findByRole('button', { name: 'Reload' })
  expect(reload).not.toHaveBeenCalled()
  await user.click(button)
  expect(reload).toHaveBeenCalledOnce()
})
