import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { KEY } from '@/features/billing/seller/bills-api'

export type RegisterEntry = Schemas['RegisterEntry']
export type RegisterFilter = { from: string; to: string; number: string }

const given = ({ from, to, number }: RegisterFilter) => ({ from, to, ...(number ? { number } : {}) })

export const billRegister = (filter: RegisterFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEY, 'register', filter.from, filter.to, filter.number],
    queryFn: async ({ pageParam, signal }) =>
      unwrap(
        await api.GET('/api/billing/get_bill_register', {
          params: { query: { ...given(filter), ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failed: 'seller.bills.failed', error: 'seller.bills.failed' },
  })

export const registerUrl = (file: 'bill_register.csv' | 'bill_register_cbms.json', filter: RegisterFilter) =>
  `/api/billing/${file}?${new URLSearchParams(given(filter))}`
