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

/** Renders a part of a page as the shop does: with an address, the query cache and the toasts. */
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
      {/* The type expects the shop's own router, and this is the test's small one. */}
      <RouterProvider router={router as never} />
      <Toaster />
    </QueryClientProvider>,
  )
  return { ...drawn, router, address: () => router.state.location.href }
}
