import { addMessages } from '@/lib/i18n'
import messages from '@/locales/en.json?part=offline'

// The messages about a lost or regained connection and about a new version, bundled as in catalogue-messages.ts.
addMessages(messages)
