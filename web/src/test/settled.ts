import { notifyManager } from '@tanstack/react-query'
import { act, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { queryClient } from '@/api/query-client'

/** Waits until every query that has begun, except `pending` of them, has its response and the page is drawn with it. */
export async function settled({ pending = 0 } = {}) {
  do {
    await waitFor(() => expect(queryClient.isFetching()).toBe(pending))
    // Components are notified of the responses in their order, and of the last one before this.
    await act(() => new Promise<void>((done) => notifyManager.schedule(done)))
  } while (queryClient.isFetching() > pending)
}
