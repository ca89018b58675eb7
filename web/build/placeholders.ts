import type { Plugin } from 'vite'

/** The server fills `{{ lang }}` in production; Vite's own server has nobody to do it. */
export function devPlaceholders(): Plugin {
  return {
    name: 'dev-placeholders',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('{{ lang }}', 'en'),
  }
}
