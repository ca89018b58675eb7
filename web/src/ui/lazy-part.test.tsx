import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { lazyPart } from '@/ui/lazy-part'

function Greeting({ name }: { name: string }) {
  return <p>Namaste {name}</p>
}

test('a part that could not be fetched can be tried again, and is then there at once', async () => {
  let attempts = 0
  const Part = lazyPart(
    async () => {
      if (++attempts === 1) throw new Error('bad line')
      return Greeting
    },
    <p>Waiting</p>,
  )
  const { unmount } = render(<Part name="Sita" />)
  expect(screen.getByText('Waiting')).toBeInTheDocument()
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Namaste Sita')).toBeInTheDocument()
  unmount()
  render(<Part name="Ram" />)
  expect(screen.getByText('Namaste Ram')).toBeInTheDocument()
  expect(attempts).toBe(2)
})

test('a part that is gone from the server offers to reload the page, and does nothing unasked', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const Part = lazyPart<object>(async () => {
    throw new Error('404')
  })
  render(<Part />)
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  const button = await screen.findByRole('button', { name: 'Reload' })
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(button)
  expect(reload).toHaveBeenCalledOnce()
})
