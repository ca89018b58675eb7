import type { Plugin } from 'vite'

/** The server fills in `{{ lang }}` in production; Vite's dev server needs this plugin. */
export function devPlaceholders(): Plugin {
  return {
    name: 'dev-placeholders',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('{{ lang }}', 'en'),
  }
}
