import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '@/api/query-client'
import { followRoutes } from '@/app/follow-routes'
import { router } from '@/app/router'
import { watchFirstView } from '@/app/take-over'
import { leaving, startSessions } from '@/features/accounts/session'
import { forgetCart } from '@/features/cart/forget-cart'
import { activateLang, rememberedLang } from '@/lib/i18n'
import { reloadKeepingTyped, restoreTyped } from '@/lib/typed-fields'
import { toast } from '@/ui/toast'

/** Says when the first page has been drawn. */
function Drawn({ then }: { then: () => void }) {
  useEffect(then, [then])
  return null
}

/** Everything the first page needs is at hand before React draws, so it replaces the server's first view in one step. */
async function start() {
  watchStyles()
  finishGoogle()
  startSessions()
  // Here, not beside the function: the files of a build run in an order of their own.
  leaving.add(forgetCart)
  await Promise.all([activateLang(rememberedLang()), router.load()])
  followRoutes(router)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const carryOver = watchFirstView(root)
  const takeOver = () => {
    carryOver()
    restoreTyped()
  }
  // A transition is drawn in small steps: the first view can already be scrolled meanwhile, and taps are not held up.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <Drawn then={takeOver} />
      </StrictMode>,
    ),
  )
}

/** A style sheet is asked for again by `early-taps.ts`; the page that needs it is drawn meanwhile. */
function watchStyles() {
  addEventListener('vite:preloadError', (event) => {
    if (/CSS/.test(event.payload.message)) event.preventDefault()
  })
  addEventListener('style-failed', () =>
    toast.error('shell.styleProblem', { label: 'shell.reload', run: reloadKeepingTyped }),
  )
}

/** Somebody comes back from the identity provider; the mark of it does not stay in the address. */
function finishGoogle() {
  const address = new URL(location.href)
  const result = address.searchParams.get('google')
  if (!result) return
  address.searchParams.delete('google')
  history.replaceState(history.state, '', address)
  void import('@/features/accounts/google').then((google) => google.finishGoogle(result))
}

void start()
