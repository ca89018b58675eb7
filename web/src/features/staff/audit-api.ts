import { api, type Schemas, unwrap } from '@/api/client'
import { searchablePages } from '@/features/staff/searchable-pages'

export type AuditEntry = Schemas['AuditEntry']

export const auditLog = searchablePages(
  'audit',
  { failed: 'seller.audit.failed', error: 'seller.audit.error' },
  async (query, signal) => unwrap(await api.GET('/api/seller/get_audit', { params: { query }, signal })),
)
