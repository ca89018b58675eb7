import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=newsletter'

// The messages of the newsletter form and of the offers, bundled as in catalogue-messages.ts.
addMessages(messages)
