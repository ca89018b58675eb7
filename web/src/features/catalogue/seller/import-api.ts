import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError, api, type Schemas, unwrap, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { upload } from '@/api/upload'
import { refetchProductLists } from '@/features/catalogue/seller/products-api'

export type ImportState = 'checking' | 'checked' | 'refused' | 'applying' | 'applied' | 'failed' | 'cancelled'
export const ROW_KINDS = ['add', 'update', 'same', 'error'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** The schema types its states and kinds as plain strings. */
export type Import = Omit<Schemas['Import'], 'state'> & { state: ImportState }
export type ImportRow = Omit<Schemas['ImportRow'], 'kind'> & { kind: RowKind }
/** A file beside the spreadsheet in a zip file. */
export type ImportPicture = Omit<Schemas['ImportPicture'], 'state'> & { state: 'used' | 'unused' | 'error' }
type RowPage = Omit<Schemas['ImportRowList'], 'data'> & { data: ImportRow[] }

const KEY = ['seller', 'imports']
const POLL_MS = 1000
const PAGE_SIZE = 50

/** Whether the server is still working on it in the background; it is then polled every second. */
export const isWorking = (state: ImportState | undefined) => state === 'checking' || state === 'applying'

export const importQueries = {
  /** `null` means that the import no longer exists. */
  one: (id: string) =>
    queryOptions({
      queryKey: [...KEY, 'one', id],
      queryFn: async ({ signal }): Promise<Import | null> => {
        const params = { path: { id } }
        try {
          return trackImport(
            (await unwrapData(api.GET('/api/product/get_import/{id}', { params, signal }))) as Import,
          )
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) return null
          throw error
        }
      },
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => (isWorking(data?.state) ? POLL_MS : false),
    }),
  recent: () =>
    queryOptions({
      queryKey: [...KEY, 'recent'],
      queryFn: async ({ signal }) =>
        ((await unwrapData(api.GET('/api/product/get_imports', { signal }))) as Import[]).map(trackImport),
      staleTime: 0,
    }),
  pictures: (id: string) =>
    queryOptions({
      queryKey: [...KEY, 'pictures', id],
      queryFn: async ({ signal }) =>
        (await unwrapData(
          api.GET('/api/product/get_import_pictures/{id}', { params: { path: { id } }, signal }),
        )) as ImportPicture[],
    }),
  rows: (id: string, kind: RowKind | 'all') =>
    infiniteQueryOptions({
      queryKey: [...KEY, 'rows', id, kind],
      queryFn: async ({ pageParam, signal }) => {
        const query = { cursor: pageParam, limit: PAGE_SIZE, ...(kind === 'all' ? {} : { kind }) }
        const params = { path: { id }, query }
        return unwrap(await api.GET('/api/product/get_import_rows/{id}', { params, signal })) as RowPage
      },
      initialPageParam: '',
      getNextPageParam: (last: RowPage) => last.nextCursor || undefined,
      placeholderData: keepPreviousData,
    }),
}

/** The last known state of each import, for all pages. */
const known = new Map<string, ImportState>()

/** Refetches the products once an import has been applied, because it may have changed hundreds of them. */
function trackImport(one: Import): Import {
  const before = known.get(one._id)
  known.set(one._id, one.state)
  if (before && before !== 'applied' && one.state === 'applied') {
    void refetchProductLists()
    void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
  }
  return one
}

/** Shows the new state of an import at once and refreshes the list of imports. */
function storeImport(one: Import): Import {
  trackImport(one)
  queryClient.setQueryData(importQueries.one(one._id).queryKey, one)
  void queryClient.invalidateQueries({ queryKey: [...KEY, 'recent'] })
  return one
}

export const importApi = {
  send: async (file: File, onProgress: (share: number) => void) => {
    const form = new FormData()
    form.append('name', file.name)
    form.append('file', file, file.name)
    return storeImport(await upload<Import>('POST', '/api/product/import_products', form, onProgress))
  },
  apply: async (importId: string) =>
    storeImport((await unwrapData(api.POST('/api/product/apply_import', { body: { importId } }))) as Import),
  cancel: async (importId: string) =>
    storeImport((await unwrapData(api.POST('/api/product/cancel_import', { body: { importId } }))) as Import),
}

/** The list of recent imports shows the state of each one. */
export const refetchRecentImports = () => void queryClient.invalidateQueries({ queryKey: [...KEY, 'recent'] })
