import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=catalogue'

// Every page that shows goods imports this file, and with it what such pages say.
addMessages(messages)
