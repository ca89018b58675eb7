import { api, type Schemas, unwrap } from '@/api/client'
import { searchedPages } from '@/features/seller/seller-paged'

export type AuditEntry = Schemas['AuditEntry']

export const auditLog = searchedPages(
  'audit',
  { failed: 'saud.failed', error: 'saud.error' },
  async (query, signal) => unwrap(await api.GET('/api/seller/get_audit', { params: { query }, signal })),
)
