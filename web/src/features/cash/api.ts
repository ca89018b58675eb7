import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrapData } from '@/api/client'
import { queryClient } from '@/api/query-client'

export type RiderCash = Schemas['RiderCash']
export type CashTransaction = Schemas['CashTransaction']
export type CashSettlement = Schemas['CashSettlement']

const meta = { failed: 'seller.cash.failed', error: 'seller.cash.failed' } as const

/** The riders with what they carry; it changes while they are out. */
export const cashRiders = queryOptions({
  queryKey: ['seller', 'cash', 'riders'],
  queryFn: () => unwrapData(api.GET('/api/cash/get_riders')),
  refetchInterval: 60_000,
  meta,
})

export const cashSettlements = queryOptions({
  queryKey: ['seller', 'cash', 'settlements'],
  queryFn: () => unwrapData(api.GET('/api/cash/get_settlements')),
  meta,
})

export const cashLedger = (rider: string) =>
  queryOptions({
    queryKey: ['seller', 'cash', 'ledger', rider],
    queryFn: () => unwrapData(api.GET('/api/cash/get_ledger', { params: { query: { rider } } })),
    meta,
  })

const changed = async () => {
  await queryClient.invalidateQueries({ queryKey: ['seller', 'cash'] })
}

/** Loads everything again after a failure too: the balance may have changed in the meantime. */
async function change(work: Promise<unknown>) {
  try {
    await work
  } finally {
    await changed()
  }
}

export const recordCash = (body: Schemas['RecordCashRequest']) =>
  change(unwrapData(api.POST('/api/cash/record', { body })))

export const settleRider = (body: Schemas['SettleRiderRequest']) =>
  change(unwrapData(api.POST('/api/cash/settle', { body })))
