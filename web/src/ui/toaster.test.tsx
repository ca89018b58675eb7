import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast } from '@/ui/toast'
import { Toaster } from '@/ui/toaster'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})
afterEach(() => vi.useRealTimers())

const say = (what: () => void) => act(what)
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('both live regions stand ready before the first message', () => {
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
})

test('good news is a status and stays four seconds, bad news is an alert and stays eight', () => {
  say(() => {
    toast.success('cart.toast.added')
    toast.error('products.failed')
  })
  expect(within(screen.getByRole('status')).getByText('Added to cart')).toBeInTheDocument()
  expect(within(screen.getByRole('alert')).getByText('Failed to fetch products.')).toBeInTheDocument()
  wait(4001)
  expect(screen.queryByText('Added to cart')).not.toBeInTheDocument()
  expect(screen.getByText('Failed to fetch products.')).toBeInTheDocument()
  wait(4000)
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})

test('the same message again restarts its clock instead of stacking', () => {
  say(() => toast.success('cart.toast.added'))
  wait(3000)
  say(() => toast.success('cart.toast.added'))
  wait(3000)
  expect(screen.getAllByTestId('toast')).toHaveLength(1)
  wait(1001)
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})

test('never more than three at once: the oldest goes', () => {
  say(() => {
    toast.success('cart.toast.added')
    toast.success('cart.toast.removed')
    toast.success('newsletter.ok')
    toast.success('cart.toast.lineRemoved')
  })
  expect(screen.getAllByTestId('toast')).toHaveLength(3)
  expect(screen.queryByText('Added to cart')).not.toBeInTheDocument()
})

test('reading stops the clock', () => {
  say(() => toast.success('cart.toast.added'))
  wait(3000)
  fireEvent.pointerEnter(screen.getByRole('region'))
  fireEvent.pointerOver(screen.getByTestId('toast'))
  wait(60_000)
  expect(screen.getByTestId('toast')).toBeInTheDocument()
  fireEvent.pointerOut(screen.getByTestId('toast'))
  wait(1001)
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})

test('a hidden tab stops the clock', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  say(() => toast.success('cart.toast.added'))
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  wait(60_000)
  expect(screen.getByTestId('toast')).toBeInTheDocument()
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  wait(4001)
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})

test('what a toast tells of can be taken back from it', () => {
  const undo = vi.fn()
  say(() => toast.success('cart.toast.lineRemoved', { label: 'cart.undo', run: undo }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})

test('Escape closes the newest, the button closes its own', () => {
  say(() => {
    toast.success('cart.toast.added')
    toast.success('cart.toast.removed')
  })
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.queryByText('Removed from cart')).not.toBeInTheDocument()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByTestId('toast')).not.toBeInTheDocument()
})
