import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DATA = join(import.meta.dirname, '../../../data')
const WEB = 'messages/web'

type Lang = 'en' | 'ne'
type Texts = Record<string, string>

/** The messages of a file in `data`, read from disk: an import would return their compiled form. */
export const readTexts = (file: string): Texts => JSON.parse(readFileSync(join(DATA, file), 'utf8'))

/** The names of the parts that the web app's messages are divided into. */
export const messageParts = (lang: Lang): string[] =>
  readdirSync(join(DATA, WEB))
    .filter((name) => name.endsWith(`.${lang}.json`))
    .map((name) => name.slice(0, name.indexOf('.')))

export const readPart = (part: string, lang: Lang) => readTexts(`${WEB}/${part}.${lang}.json`)

/** All messages of the web app. */
export const readMessages = (lang: Lang): Texts =>
  Object.assign({}, ...messageParts(lang).map((part) => readPart(part, lang)))
