import type { Messages } from '@lingui/core'
import { addMessageFiles } from '@/lib/i18n'

addMessageFiles(import.meta.glob<Messages>('../../../data/messages/web/seller*.json', { import: 'default' }))
