import type { Middleware } from 'openapi-fetch'
import { api } from '@/api/client'
import { createStore } from '@/lib/store'

/** Whether the server refuses all calls until the PIN of this device is entered. */
export const deviceLocked = createStore(false)

type Answer = (proved: boolean) => void
/** Called with the outcome of the dialog that asks for a code; null while it is closed. */
export const stepUp = createStore<Answer | null>(null)

let asking: Promise<boolean> | null = null

/** Asks for a code once, however many calls need it; false if the seller has closed the dialog. */
export function askForCode(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    stepUp.set((proved) => {
      asking = null
      stepUp.set(null)
      resolve(proved)
    })
  })
  return asking
}

/** Where a call was refused for want of a fresh second factor, asks for a code and repeats the call. */
export async function repeatWithCode(response: Response, repeat: () => Promise<Response>): Promise<Response> {
  if (response.status !== 403) return response
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: string } | null
  if (body?.code !== 'second_factor_needed') return response
  return (await askForCode()) ? repeat() : response
}

/** After this time without a touch or a key, calls are marked as not made by a person. */
const IDLE_MS = 60_000
let lastInput = Date.now()
const onInput = () => {
  lastInput = Date.now()
}
for (const kind of ['pointerdown', 'keydown'] as const) addEventListener(kind, onInput, { passive: true })

/** How long ago the seller last touched or typed something, in milliseconds. */
export const idleFor = () => Date.now() - lastInput

/** A copy of each call under way, because the body of a request can be read only once. */
const copies = new Map<string, Request>()

const guard: Middleware = {
  onRequest({ request, id }) {
    if (idleFor() > IDLE_MS) request.headers.set('x-background-request', '1')
    copies.set(id, request.clone())
  },
  onResponse({ response, id }) {
    const copy = copies.get(id)
    copies.delete(id)
    if (response.status === 423) deviceLocked.set(true)
    return copy && repeatWithCode(response, () => fetch(copy))
  },
  onError({ id }) {
    copies.delete(id)
  },
}
api.use(guard)
