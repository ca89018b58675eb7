import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import { Toaster } from '@/ui/toaster'

/** Draws a piece of a page the way the shop would: with an address, a query cache and the toast area around it. */
export async function renderInShop(piece: ReactNode) {
  const root = createRootRoute()
  const pages = Object.values(paths).map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => piece }),
  )
  const router = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: [paths.home] }),
  })
  await router.load()
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const drawn = render(
    <QueryClientProvider client={client}>
      {/* A test's small tree, where the type knows only the shop's own. */}
      <RouterProvider router={router as never} />
      <Toaster />
    </QueryClientProvider>,
  )
  return { ...drawn, address: () => router.state.location.href }
}
