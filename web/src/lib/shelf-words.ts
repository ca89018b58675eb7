import { addWords } from '@/lib/i18n'
import words from '@/locales/en.json?part=shelf'

// Every page that shows goods imports this file, and with it what such pages say.
addWords(words)
