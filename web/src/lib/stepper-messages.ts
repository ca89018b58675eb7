import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=stepper'

// The messages for adding a product to the cart, bundled as in catalogue-messages.ts.
addMessages(messages)
