import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useNavigate,
  useSearch,
} from '@tanstack/react-router'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { holdTime, pass } from '@/test/time'
import { useDebouncedSearchParam } from '@/ui/use-debounced-search-param'

function List() {
  const navigate = useNavigate()
  const search: { search?: string } = useSearch({ strict: false })
  const [text, setText] = useDebouncedSearchParam(search.search ?? '', (next) => {
    void navigate({ to: '/seller' as never, search: { search: next } as never, replace: true })
  })
  return <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />
}

/** The orders load as slowly as a page that was never opened before. */
async function openList() {
  let come = () => {}
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/seller', component: List }),
      createRoute({
        getParentRoute: () => root,
        path: '/seller/orders',
        loader: () => new Promise<void>((done) => (come = done)),
        component: () => <h1>Orders</h1>,
      }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/seller'] }),
  })
  await router.load()
  render(<RouterProvider router={router as never} />)
  await userEvent.type(await screen.findByLabelText('Search'), 'oil')
  return { router, come: () => act(async () => come()), address: () => router.state.location.href }
}

test('resting fingers change the address', async () => {
  const { address } = await openList()
  await waitFor(() => expect(address()).toBe('/seller?search=oil'))
})

test('whoever is on the way to another page is not called back by what was typed last', async () => {
  holdTime()
  const { router, come, address } = await openList()
  act(() => void router.navigate({ to: '/seller/orders' as never }))
  await pass(400)
  expect(address()).toBe('/seller/orders')
  await come()
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeInTheDocument()
})
