import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '@/api/query-client'
import { preserveFirstViewInput } from '@/app/replace-first-view'
import { resetScrollAndFocus } from '@/app/reset-scroll-and-focus'
import { router } from '@/app/router'
import { signOutHooks, startSessionChecks } from '@/features/accounts/session'
import { clearUserCart } from '@/features/cart/clear-user-cart'
import { activateLang, rememberedLang } from '@/lib/i18n'
import { reloadKeepingInput, restoreInput } from '@/lib/restore-input'
import { toast } from '@/ui/toast'

/** Says when the first page has been drawn. */
function AfterFirstRender({ then }: { then: () => void }) {
  useEffect(then, [then])
  return null
}

/** Everything the first page needs is at hand before React draws, so it replaces the server's first view in one step. */
async function start() {
  watchStyles()
  finishGoogleSignIn()
  startSessionChecks()
  // Here, not beside the function: the files of a build run in an order of their own.
  signOutHooks.add(clearUserCart)
  await Promise.all([activateLang(rememberedLang()), router.load()])
  resetScrollAndFocus(router)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const carryOver = preserveFirstViewInput(root)
  const takeOver = () => {
    carryOver()
    restoreInput()
  }
  // A transition is drawn in small steps: the first view can already be scrolled meanwhile, and taps are not held up.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
        <AfterFirstRender then={takeOver} />
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
    toast.error('shell.styleProblem', { label: 'shell.reload', run: reloadKeepingInput }),
  )
}

/** Somebody comes back from the identity provider; the mark of it does not stay in the address. */
function finishGoogleSignIn() {
  const address = new URL(location.href)
  const result = address.searchParams.get('google')
  if (!result) return
  address.searchParams.delete('google')
  history.replaceState(history.state, '', address)
  void import('@/features/accounts/google-sign-in').then((google) => google.finishGoogleSignIn(result))
}

void start()
