import type { Plugin } from 'vite'

/**
 * Moves what the first paint needs to the top of the head. Vite puts the style sheet last and requests scripts with the
 * same priority; on a slow connection 100 KB of JavaScript would then delay a page that is already complete in HTML.
 */
export function headOrder(): Plugin {
  return {
    name: 'head-order',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [styles = ''] = html.match(/\s*<link rel="stylesheet"[^>]*>/) ?? []
        if (!styles) throw new Error('index.html has no style sheet to put first.')
        return html
          .replace(styles, '')
          .replace(/\s*<link rel="icon"/, (icon) => styles + icon)
          .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
      },
    },
  }
}
