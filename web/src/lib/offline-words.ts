import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=offline'

// As in shelf-words.ts: what is said when the line goes, comes back, or brings a new version.
addWords(words)
