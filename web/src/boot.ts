/**
 * The first, very small script. The page is already complete and readable in HTML (its links and its search work), so
 * the app is fetched after the first paint and never competes with it for a slow connection.
 */

import { retryLoad } from '@/lib/retry-load'

/** A browser that never reports a paint starts the app after this delay. */
const PAINT_TIMEOUT_MS = 2500

function waitForFirstPaint(): Promise<void> {
  // A hidden tab paints nothing.
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS)
    // Any paint is enough: a view of plain boxes never counts as 'contentful' and would wait for the whole delay.
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true })
  })
}

/**
 * The server lists the scripts of this page, each after its dependencies. Requesting them together takes one round trip
 * instead of three; running them one by one lets the browser handle taps in between.
 */
async function runPageScripts() {
  const text = document.querySelector<HTMLMetaElement>('meta[name="page-scripts"]')?.content ?? ''
  const files = text.split(' ').filter(Boolean)
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  for (const file of files) {
    await retryLoad(() => import(/* @vite-ignore */ file))
    await new Promise((resolve) => setTimeout(resolve))
  }
}

void waitForFirstPaint()
  .then(runPageScripts)
  .then(() => retryLoad(() => import('@/main.tsx')))
