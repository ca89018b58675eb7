/**
 * The first script, and a tiny one. The page is already complete and readable in HTML (its links and its search work),
 * so the app is fetched when that has been painted and never competes with it for a slow line.
 */

import { retryLoad } from '@/lib/retry-load'

/** A browser that never reports a paint gets the app all the same. */
const PAINT_TIMEOUT_MS = 2500

function waitForFirstPaint(): Promise<void> {
  // A hidden tab paints nothing.
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS)
    // Any paint will do: a view of plain boxes is no 'contentful' one, and waited for the whole delay.
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true })
  })
}

/**
 * The server knows which files this page is made of, each after those it needs: asked for together, they take one round
 * trip instead of three; run one by one, they leave the browser room to answer a tap in between.
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
