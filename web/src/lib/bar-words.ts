import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=bar'

// As in shelf-words.ts: how far free shipping is.
addWords(words)
