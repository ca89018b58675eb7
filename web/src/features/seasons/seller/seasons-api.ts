// The seasons of the home page, for the seller. Calls /api/season; shoppers get the season of the moment with the page.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type SeasonList = Schemas['SeasonList']
export type Season = Schemas['Season']
export type SeasonTerms = Schemas['SeasonTermsRequest']
export type Theme = Season['theme']

const KEY = ['seller', 'seasons']

export const allSeasons = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => unwrapData(api.GET('/api/season/get_seasons', { signal })),
  staleTime: 0,
})

/** Shows the list that the server returns with a change. */
async function showing(work: Promise<SeasonList>): Promise<void> {
  queryClient.setQueryData(KEY, await work)
}

export const seasonsApi = {
  add: (body: SeasonTerms) => showing(unwrapData(api.POST('/api/season/add_season', { body }))),
  update: ({ _id, version }: Season, terms: SeasonTerms) =>
    showing(unwrapData(api.PUT('/api/season/update_season', { body: { seasonId: _id, version, ...terms } }))),
  delete: ({ _id }: Season) =>
    showing(unwrapData(api.POST('/api/season/delete_season', { body: { seasonId: _id } }))),
  /** After a refusal somebody else may have changed the seasons. */
  reload: () => queryClient.invalidateQueries({ queryKey: KEY }),
}
