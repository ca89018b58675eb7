import { api, unwrap } from '@/api/client'
import { searchedPages } from '@/features/seller/seller-paged'

export const subscribers = searchedPages(
  'subscribers',
  { failed: 'snews.failed', error: 'snews.error' },
  async (query, signal) =>
    unwrap(await api.GET('/api/subscriber/get_subscribers', { params: { query }, signal })),
)

export const SUBSCRIBERS_CSV = '/api/subscriber/export_subscribers.csv'
