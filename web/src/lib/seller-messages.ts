import type { Messages } from '@lingui/core'
import { addMessageFiles } from '@/lib/i18n'

const lists = import.meta.glob<Record<string, string[]>>('../../../data/messages/parts.json', {
  query: '?seller',
  import: 'default',
  eager: true,
})

addMessageFiles(
  import.meta.glob<Messages>('../../../data/messages/web/seller*.json', { import: 'default' }),
  Object.assign({}, ...Object.values(lists)),
)
