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
import { settings } from '@/lib/first-data'
import { activateLang, loadWithMessages, rememberedLang } from '@/lib/i18n'
import { reloadKeepingInput, restoreInput } from '@/lib/restore-input'
import { toast } from '@/ui/toast'

/** Calls `then` when the first page has been drawn. */
function AfterFirstRender({ then }: { then: () => void }) {
  useEffect(then, [then])
  return null
}

/**
 * Loads everything the first page needs before React draws, so that it replaces the server's first view in one step.
 */
async function start() {
  watchStyles()
  finishGoogleSignIn()
  startSessionChecks()
  // This is inside the function, because bundled files run in an order of their own.
  signOutHooks.add(clearUserCart)
  if (settings.pushKey)
    signOutHooks.add(
      () => void import('@/features/alerts/push').then((push) => push.forgetDevice()).catch(() => {}),
    )
  await Promise.all([activateLang(rememberedLang()), router.load()])
  resetScrollAndFocus(router)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const carryOver = preserveFirstViewInput(root)
  const takeOver = () => {
    carryOver()
    restoreInput()
  }
  // A transition is rendered in small steps, so that scrolling and taps are not blocked.
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

/** `early-taps.ts` requests a failed style sheet again; the page is drawn in the meantime. */
function watchStyles() {
  addEventListener('vite:preloadError', (event) => {
    if (/CSS/.test(event.payload.message)) event.preventDefault()
  })
  addEventListener('style-failed', () =>
    toast.error('shell.styleProblem', { label: 'shell.reload', run: reloadKeepingInput }),
  )
}

/** Completes the return from the identity provider and removes its result from the address. */
function finishGoogleSignIn() {
  const address = new URL(location.href)
  const result = address.searchParams.get('google')
  if (!result) return
  address.searchParams.delete('google')
  history.replaceState(history.state, '', address)
  void loadWithMessages(
    'features/accounts/google-sign-in',
    () => import('@/features/accounts/google-sign-in'),
  ).then((google) => google.finishGoogleSignIn(result))
}

void start()
