import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import type { Lang } from '@/lib/first-data'

export type Newsletter = Schemas['Newsletter']
export type NewsletterPreview = Schemas['NewsletterPreview']
export type NewsletterTexts = Pick<Newsletter, 'subject' | 'subjectNe' | 'body' | 'bodyNe'>
export type NewsletterAction = 'send' | 'pause' | 'resume' | 'cancel'

const KEY = ['seller', 'newsletters']
/** How often the list is read while a newsletter is being sent. */
const POLL_MS = 2_000

export const newsletters = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => unwrapData(api.GET('/api/newsletter/get_newsletters', { signal })),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.newsletters.some((each) => each.state === 'sending') ? POLL_MS : false,
  meta: { failed: 'seller.newsletters.loadFailed', error: 'seller.newsletters.loadFailed' },
})

const refresh = () => queryClient.invalidateQueries({ queryKey: KEY })

export const newslettersApi = {
  save: async (id: string | undefined, texts: NewsletterTexts) => {
    const body = { ...texts, ...(id ? { _id: id } : {}) }
    const { _id } = await unwrapData(api.POST('/api/newsletter/save_newsletter', { body }))
    await refresh()
    return _id
  },
  remove: async (_id: string) => {
    await unwrapData(api.POST('/api/newsletter/delete_newsletter', { body: { _id } }))
    await refresh()
  },
  preview: (subject: string, body: string, language: Lang) =>
    unwrapData(api.POST('/api/newsletter/preview', { body: { subject, body, language } })),
  /** Returns the server's message, which names the address. */
  sendTest: async (_id: string, language: Lang) =>
    unwrap(await api.POST('/api/newsletter/send_test', { body: { _id, language } })).message,
  /** Returns the server's message. */
  change: async (_id: string, action: NewsletterAction) => {
    try {
      return unwrap(await api.POST('/api/newsletter/change_newsletter', { body: { _id, action } })).message
    } finally {
      await refresh()
    }
  },
  askUnconfirmed: async () => {
    const { message } = unwrap(await api.POST('/api/newsletter/ask_unconfirmed', {}))
    await refresh()
    return message
  },
}
