import { api, unwrap } from '@/api/client'
import { searchablePages } from '@/features/staff/searchable-pages'

export const subscribers = searchablePages(
  'subscribers',
  { failed: 'seller.newsletter.failed', error: 'seller.newsletter.error' },
  async (query, signal) =>
    unwrap(await api.GET('/api/subscriber/get_subscribers', { params: { query }, signal })),
)

export const SUBSCRIBERS_CSV = '/api/subscriber/export_subscribers.csv'
