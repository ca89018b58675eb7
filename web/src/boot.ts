/**
 * The first script, and a tiny one. The page is already complete and readable in HTML (its links and its search work),
 * so the app is fetched when that has been painted and never competes with it for a slow line.
 */

/** A browser that never reports a paint gets the app all the same. */
const PATIENCE_MS = 2500

// The first view is the same for everybody and offers Login. Whoever is signed in sees a blank there instead, until the app
// knows their name.
if (/(?:^|; )session=shopper/.test(document.cookie)) document.documentElement.dataset.session = 'shopper'

function firstPaint(): Promise<void> {
  // A hidden tab paints nothing.
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName('first-contentful-paint').length > 0) resolve()
    }).observe({ type: 'paint', buffered: true })
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
    await import(/* @vite-ignore */ file)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

void firstPaint()
  .then(runPageScripts)
  .then(() => import('@/main.tsx'))
