import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=freeShipping'

// The messages about free shipping, bundled as in catalogue-messages.ts.
addMessages(messages)
