import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { queryClient } from '@/api/query-client'
import { paths } from '@/lib/paths'
import { Toaster } from '@/ui/toaster'

/** Draws a piece of a page the way the shop would: with an address, the query cache and the toast area around it. */
export async function renderInShop(piece: ReactNode, { at = paths.home }: { at?: string } = {}) {
  const root = createRootRoute()
  const pages = Object.values(paths).map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => piece }),
  )
  const router = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  await router.load()
  const drawn = render(
    <QueryClientProvider client={queryClient}>
      {/* A test's small tree, where the type knows only the shop's own. */}
      <RouterProvider router={router as never} />
      <Toaster />
    </QueryClientProvider>,
  )
  return { ...drawn, router, address: () => router.state.location.href }
}
