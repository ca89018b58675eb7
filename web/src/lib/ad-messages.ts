import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=ad'

// The messages of the advertisement box, bundled as in catalogue-messages.ts.
addMessages(messages)
