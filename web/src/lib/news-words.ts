import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=news'

// As in shelf-words.ts: what the newsletter's form and the offers say.
addWords(words)
