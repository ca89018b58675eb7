import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { LoadState } from '@/ui/load-state'

const query = {
  data: undefined as string | undefined,
  errorUpdateCount: 0,
  isFetching: false,
  refetch: vi.fn(),
}

function region(state: Partial<typeof query>) {
  return (
    <LoadState query={{ ...query, ...state }} problem="products.loadProblem" skeleton={<i>skeleton</i>}>
      {(data) => <p>{data}</p>}
    </LoadState>
  )
}

test('waiting shows the skeleton, and after eight seconds admits that it is slow', () => {
  vi.useFakeTimers()
  render(region({ isFetching: true }))
  expect(screen.getByText('skeleton')).toBeInTheDocument()
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  act(() => void vi.advanceTimersByTime(8000))
  expect(screen.getByRole('status')).toHaveTextContent('Still loading. Your connection may be slow.')
  vi.useRealTimers()
})

test('a failure says what failed and can be tried again without losing one’s place', async () => {
  const refetch = vi.fn()
  const { rerender } = render(region({ errorUpdateCount: 1, refetch }))
  expect(screen.getByText('We could not load the products.')).toBeInTheDocument()
  const again = screen.getByRole('button', { name: 'Try again' })
  await userEvent.click(again)
  expect(refetch).toHaveBeenCalledOnce()
  rerender(region({ errorUpdateCount: 1, isFetching: true, refetch }))
  expect(again).toHaveFocus()
  rerender(region({ data: 'here it is' }))
  expect(screen.getByText('here it is')).toBeInTheDocument()
})

test('what is already here stays when a later refresh fails', () => {
  render(region({ data: 'here it is', errorUpdateCount: 1 }))
  expect(screen.getByText('here it is')).toBeInTheDocument()
})
