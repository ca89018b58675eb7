import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '@/api/query-client'
import { followRoutes } from '@/app/follow-routes'
import { router } from '@/app/router'
import { activateLang, rememberedLang } from '@/lib/i18n'

/** Everything the first page needs is at hand before React draws, so it replaces the server's first view in one step. */
async function start() {
  await Promise.all([activateLang(rememberedLang()), router.load()])
  followRoutes(router)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  // A transition is drawn in small steps: the first view can already be scrolled meanwhile, and taps are not held up.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

void start()
