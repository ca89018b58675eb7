import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const FOLDER = fileURLToPath(new URL('../../data/messages/web/', import.meta.url)).replaceAll(sep, '/')

const PARTS = fileURLToPath(new URL('../../data/messages/parts.json', import.meta.url)).replaceAll(sep, '/')
/** Modules of the seller dashboard, whose list shoppers do not download. */
const isForSellers = (module: string) => /\/seller\/|^features\/staff\//.test(module)

/**
 * Compiles `data/messages/web/*.json` from ICU text to Lingui's format while bundling, so that no message parser is sent
 * to the shopper. The files on disk stay plain text for the translators and for the server. `data/messages/parts.json`
 * becomes the list of the shop's modules, and with `?seller` that of the dashboard's.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (id.startsWith(PARTS)) {
        const forSellers = /[?&]seller\b/.test(id)
        const modules = Object.entries(JSON.parse(code) as Record<string, string[]>)
        const listed = modules.filter(([module]) => isForSellers(module) === forSellers)
        const json = JSON.stringify(Object.fromEntries(listed))
        // Vite reads JSON only from files without a query.
        return { code: forSellers ? `export default ${json}` : json, map: null }
      }
      if (!id.startsWith(FOLDER)) return undefined
      const messages = Object.entries(JSON.parse(code) as Record<string, string>)
      const compiled = messages.map(([key, text]) => [key, replaceCounts(compileMessage(text))])
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null }
    },
  }
}

type Tokens = ReturnType<typeof compileMessage>

/**
 * Replaces the `#` of a plural by a text argument (`n` becomes `nText`), which `t` fills with our own digits. Otherwise
 * `#` would use Intl's Nepali number data, which Chromium lacks: it prints Latin digits.
 */
function replaceCounts(tokens: Tokens, counted?: string): Tokens {
  return tokens.map((token) => {
    if (token === '#' && counted) return [`${counted}Text`]
    if (!Array.isArray(token) || typeof token[2] !== 'object' || token[2] === null) return token
    const [name, kind, branches] = token
    const spelled = Object.entries(branches as Record<string, Tokens | string>).map(([branch, inner]) => [
      branch,
      Array.isArray(inner) ? replaceCounts(inner, name) : inner,
    ])
    return [name, kind, Object.fromEntries(spelled)]
  }) as Tokens
}
