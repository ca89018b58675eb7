import { type Messages, setupI18n } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { firstLang, type Lang } from '@/lib/first-data'
import { formatNumber } from '@/lib/money'
import en from '@/locales/en.json'

export type MessageId = keyof typeof en
/** A text that the server wrote for people to read. */
export type RawText = string & { readonly raw: unique symbol }
type Values = Record<string, string | number>

const i18n = setupI18n({ locale: 'en', messages: { en } })
const listeners = new Set<() => void>()
let lang: Lang = 'en'
/** The language that is being loaded; the displayed one follows. */
let targetLang: Lang = 'en'

const COOKIE_SECONDS = 365 * 24 * 60 * 60

/** Messages of screens that load on demand; build/compiled-messages.ts lists the ids of each part. */
const PARTS = {
  about: {
    en: () => import('@/locales/en.json?part=about'),
    ne: () => import('@/locales/ne.json?part=about'),
  },
  cart: {
    en: () => import('@/locales/en.json?part=cart'),
    ne: () => import('@/locales/ne.json?part=cart'),
  },
  orderDetails: {
    en: () => import('@/locales/en.json?part=orderDetails'),
    ne: () => import('@/locales/ne.json?part=orderDetails'),
  },
  orders: {
    en: () => import('@/locales/en.json?part=orders'),
    ne: () => import('@/locales/ne.json?part=orders'),
  },
  payment: {
    en: () => import('@/locales/en.json?part=payment'),
    ne: () => import('@/locales/ne.json?part=payment'),
  },
  account: {
    en: () => import('@/locales/en.json?part=account'),
    ne: () => import('@/locales/ne.json?part=account'),
  },
}
type MessageLoader = () => Promise<{ default: Messages }>
type PartLoaders = Record<string, { en: MessageLoader; ne: MessageLoader }>
/** The seller's parts are listed in a file that shoppers never load; see lib/seller-messages.ts. */
const partLoaders: PartLoaders = { ...PARTS }
export const addMessageParts = (parts: PartLoaders) => void Object.assign(partLoaders, parts)
type SellerPart =
  | 'seller'
  | 'sellerCatalogue'
  | 'sellerImports'
  | 'sellerOrders'
  | 'sellerPayments'
  | 'sellerShop'
export type MessagePart = keyof typeof PARTS | SellerPart
const loadedParts = new Set<MessagePart>()

/** Adds English messages that are bundled with a page; see lib/catalogue-messages.ts. */
export const addMessages = (messages: Messages) => i18n.load('en', messages)

/** Resolves when the messages of this part are loaded. A later change of language loads the part again. */
export async function loadMessages(part: MessagePart): Promise<void> {
  loadedParts.add(part)
  await loadPart(part, targetLang)
}

async function loadPart(part: MessagePart, language: Lang) {
  const messages = partLoaders[part]?.[language]
  if (messages) i18n.load(language, (await messages()).default)
}

/** The text of a message, or a text that came from the server as it is. */
export function messageText(text: MessageId | RawText): string {
  return text in i18n.messages ? t(text as MessageId) : text
}

/** For code outside components. Components call `useT`, so that they render again when the language changes. */
export function t(id: MessageId, values?: Values): string {
  return i18n._(id, values && withDigits(values))
}

/**
 * Adds the text of each number in the reader's digits, which plural messages print (see build/compiled-messages.ts).
 */
function withDigits(values: Values): Values {
  const filled = { ...values }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number') filled[`${name}Text`] = formatNumber(value, lang)
  }
  return filled
}

function currentLang(): Lang {
  return lang
}

export function useLang(): Lang {
  return useSyncExternalStore(subscribe, currentLang)
}

export function useT(): typeof t {
  useLang()
  return t
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Loads the language's messages if needed; resolves when the page can be rendered in it. */
export async function activateLang(next: Lang): Promise<void> {
  targetLang = next
  await Promise.all([
    next === 'ne' ? import('@/lib/nepali').then(({ messages }) => i18n.load('ne', messages)) : null,
    ...[...loadedParts].map((part) => loadPart(part, next)),
  ])
  i18n.activate(next)
  lang = next
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

export async function chooseLang(next: Lang): Promise<void> {
  await activateLang(next)
  // The cookie lets the server render the next page in this language; the copy in storage survives cleared cookies.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older WebViews
  document.cookie = `__Host-lang=${next}; path=/; max-age=${COOKIE_SECONDS}; secure; samesite=lax`
  // The cookie's name before it had its prefix.
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = 'lang=; path=/; max-age=0'
  try {
    localStorage.setItem('lang', next)
  } catch {
    // Private windows may refuse storage; the cookie is enough.
  }
}

/** The server reads the same cookie, but a page from the device's cache may have been rendered before the choice. */
export function rememberedLang(): Lang {
  const [, chosen] = document.cookie.match(/(?:^|; )(?:__Host-)?lang=(en|ne)(?:;|$)/) ?? []
  if (chosen) return chosen as Lang
  if (firstLang) return firstLang
  try {
    return localStorage.getItem('lang') === 'ne' ? 'ne' : 'en'
  } catch {
    return 'en'
  }
}
