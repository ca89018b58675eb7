import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=piece'

// As in shelf-words.ts: what putting something into the cart says.
addWords(words)
