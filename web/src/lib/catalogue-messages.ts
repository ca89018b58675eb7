import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=catalogue'

// Every page that shows products imports this file, and with it the messages of such pages.
addMessages(messages)
