import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Turns `src/locales/*.json` from ICU text into Lingui's compiled form while bundling, so that no message parser travels to
 * the shopper's phone. The files on disk stay plain text: translators edit them and the server reads them too.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/locales\/\w+\.json$/.test(id)) return undefined
      const messages = JSON.parse(code) as Record<string, string>
      const compiled = Object.fromEntries(
        Object.entries(messages).map(([key, text]) => [key, spellCounts(compileMessage(text))]),
      )
      return { code: JSON.stringify(compiled), map: null }
    },
  }
}

type Tokens = ReturnType<typeof compileMessage>

/**
 * Replaces the `#` of a plural by a text argument (`n` becomes `nText`), which `t` fills with our own digits. Left alone,
 * `#` would go through Intl's Nepali number data, which Chromium does not carry: it prints Latin digits.
 */
function spellCounts(tokens: Tokens, counted?: string): Tokens {
  return tokens.map((token) => {
    if (token === '#' && counted) return [`${counted}Text`]
    if (!Array.isArray(token) || typeof token[2] !== 'object' || token[2] === null) return token
    const [name, kind, branches] = token
    const spelled = Object.entries(branches as Record<string, Tokens | string>).map(([branch, inner]) => [
      branch,
      Array.isArray(inner) ? spellCounts(inner, name) : inner,
    ])
    return [name, kind, Object.fromEntries(spelled)]
  }) as Tokens
}
