import partsOfModules from '@data/messages/parts.json'
import shell from '@data/messages/web/shell.en.json'
import { type Messages, setupI18n } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { firstLang, type Lang } from '@/lib/first-data'
import type { MessageId } from '@/lib/message-id'
import { formatNumber } from '@/lib/money'

export type { MessageId }
/** A text that the server wrote for people to read. */
export type RawText = string & { readonly raw: unique symbol }
type Values = Record<string, string | number>

const i18n = setupI18n({ locale: 'en', messages: { en: shell } })
const listeners = new Set<() => void>()
let lang: Lang = 'en'
/** The language that is being loaded; the displayed one follows. */
let targetLang: Lang = 'en'

const COOKIE_SECONDS = 365 * 24 * 60 * 60

/** A module that is loaded on demand, by its path in `src`, and the parts of the messages that it needs. */
export type LazyModule = keyof typeof partsOfModules

/** One file for each part and language. The English shell is in the first download. */
const FOLDER = '../../../data/messages/web'
type MessageFiles = Record<string, () => Promise<Messages>>
const partFiles: MessageFiles = import.meta.glob<Messages>(
  [
    '../../../data/messages/web/*.json',
    '!../../../data/messages/web/shell.*.json',
    '!../../../data/messages/web/offline-page.*.json',
    '!../../../data/messages/web/seller*.json',
  ],
  { import: 'default' },
)

/** Adds files, and modules with their parts, whose names the shopper's download does not contain. */
export function addMessageFiles(files: MessageFiles, modules: Record<string, string[]>) {
  Object.assign(partFiles, files)
  Object.assign(partsOfModules, modules)
}

const loadedParts = new Set<string>()

/** Loads a module together with its messages. A later change of language loads the messages again. */
export async function loadWithMessages<T>(module: LazyModule, load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([load(), loadMessages(module)])
  return loaded
}

/** Resolves when the messages that this module needs are loaded. */
export async function loadMessages(module: LazyModule): Promise<void> {
  const parts = partsOfModules[module]
  for (const part of parts) loadedParts.add(part)
  await Promise.all(parts.map((part) => loadPart(part, targetLang)))
}

async function loadPart(part: string, language: Lang) {
  const messages = await partFiles[`${FOLDER}/${part}.${language}.json`]?.()
  if (messages) i18n.load(language, messages)
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
