import type { Plugin } from 'vite'

/**
 * Puts what the first paint needs before what comes after it. Vite writes the style sheet last and asks for the scripts as
 * urgently as for the style; on a slow link 100 KB of JavaScript would then hold up a page that is already complete in HTML.
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
