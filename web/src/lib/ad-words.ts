import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=ad'

// As in shelf-words.ts: what the box for advertisements says.
addWords(words)
