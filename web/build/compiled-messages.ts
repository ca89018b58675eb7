import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Words that travel with the screens that say them (`en.json?part=people`), named by how their ids begin. All others are in
 * every visitor's first download.
 */
const PARTS: Record<string, RegExp> = {
  about: /^about\./,
  ad: /^ad\./,
  // How far free shipping is: on the bar at the foot of a page, and in the cart.
  bar: /^cart\.(?:bar$|free|items$|progress$)/,
  // The − quantity + of a product.
  piece: /^cart\.(?:decrease|full|increase|toast\.(?:added|removed))$/,
  // The cart page and keeping the cart on the server; what the header says of the cart everybody gets.
  cart: /^(?:cart\.(?!announce$|browse$|link$|view$)|order\.checking$|pay\.)/,
  // What only an opened order says, and what is said about placing one.
  order:
    /^(?:order\.|orders\.(?:address|again|cancel|cod$|confirmBy|cop|delivery|items|keep|noMore|pay|shipping|subtotal|tax|timeline|total|tracking))/,
  orders: /^(?:orders|status)\./,
  // Where the wallet sends people back to.
  payment: /^paystate\./,
  // What the bar under the header says of the line, and of a new version.
  offline: /^(?:offline\.(?:back|prices)$|update\.)/,
  // The page that the service worker holds ready; no other file says its words.
  unseen: /^unseen\./,
  people:
    /^(?:(?:account|address|auth|cancelEmail|confirmEmail|data|devices|form|identities|logout|password|photo|place|profile|resetPassword)\.|nav\.(?:profile|myOrders|logout)$)/,
  news: /^(?:newsletter|offers)\./,
  shelf:
    /^(?:(?:category|home|unit)\.|categories\.(?!failed$|error$)|product\.(?!onlyAvailable$)|products\.(?!clear$|failed$|error$|loadMore$))/,
  seller: /^(?:seller|sorder)\./,
  // The seller's pages about money: what needs a person, and what came and went.
  wallet: /^(?:scase|smoney)\./,
  // What the seller's pages about goods say; about orders and their way to people; and about the shop itself.
  shelves: /^(?:scat|simp|sprod)\./,
  desk: /^sdesk\./,
  office: /^(?:saud|snews|sover|ssec|sset)\./,
}

/**
 * Turns `src/locales/*.json` from ICU text into Lingui's compiled form while bundling, so that no message parser travels to
 * the shopper's phone. The files on disk stay plain text: translators edit them and the server reads them too.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      const [, lang, part] = id.match(/\/src\/locales\/(\w+)\.json(?:\?part=(\w+))?$/) ?? []
      if (!lang) return undefined
      const messages = JSON.parse(code) as Record<string, string>
      const compiled = Object.fromEntries(
        Object.entries(messages)
          .filter(([key]) => partIn(lang, key) === part)
          .map(([key, text]) => [key, spellCounts(compileMessage(text))]),
      )
      const json = JSON.stringify(compiled)
      // With a query behind its name the file is no JSON any more to the bundler.
      return part === undefined
        ? { code: json, map: null }
        : { code: `export default ${json}`, map: null, moduleType: 'js' }
    },
  }
}

/** The part that a message travels in; none for those that everybody gets. */
export function partOf(key: string): string | undefined {
  return Object.keys(PARTS).find((part) => PARTS[part]?.test(key))
}

/**
 * Parts of the pages people land on. In English they are in those pages' own files (lib/shelf-words.ts and its like), so that
 * a first page waits for no further one; Nepali, which is one more file anyway, has them in its first.
 */
const BUNDLED = ['ad', 'bar', 'news', 'offline', 'piece', 'shelf']

function partIn(lang: string, key: string): string | undefined {
  const part = partOf(key)
  return lang === 'ne' && part && BUNDLED.includes(part) ? undefined : part
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
