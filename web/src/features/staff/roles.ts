import type { MessageId } from '@/lib/i18n'

export const ROLE_TEXT: Record<string, MessageId> = {
  owner: 'seller.role.owner',
  manager: 'seller.role.manager',
  packer: 'seller.role.packer',
  rider: 'seller.role.rider',
}
