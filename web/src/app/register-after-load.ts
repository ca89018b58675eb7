/** Registers the service worker once the page has loaded and the browser is idle. */
export function registerAfterLoad() {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const quiet = globalThis.requestIdleCallback ?? setTimeout
  const keep = () => quiet(() => void import('@/app/register-service-worker').catch(() => {}))
  if (document.readyState === 'complete') keep()
  else addEventListener('load', keep, { once: true })
}
