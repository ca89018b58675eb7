/**
 * What a rider has recorded and the server has not confirmed yet. An entry is stored on the phone before it is shown as
 * recorded, is sent in the order of recording, and is removed only when the server has answered it. The server applies
 * each event once, so that sending one again after a lost response does no harm.
 */
import { ApiError, type Schemas } from '@/api/client'

export type StopEvent = Schemas['StopEventRequest']
type StopEventResult = Schemas['StopEventResult']

export type QueueEntry = {
  /** The order of recording. */
  seq: number
  event: StopEvent
  /** Sent before the event that names it, and dropped once the server has it. */
  photo?: Blob
  /** Why the server did not apply it; the rider reads and dismisses it. */
  refusal?: string
}

export type QueueStorage = {
  all(): Promise<QueueEntry[]>
  put(entry: QueueEntry): Promise<void>
  remove(seq: number): Promise<void>
}

export type QueueSender = {
  photo(event: StopEvent, photo: Blob): Promise<unknown>
  events(events: StopEvent[]): Promise<StopEventResult[]>
}

const BATCH = 20
const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 60_000
/** A login or a waiting time does not decide about an event. */
const UNDECIDED = [401, 403, 408, 423, 429]

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !UNDECIDED.includes(error.status)

export function createQueue(
  storage: QueueStorage,
  sender: QueueSender,
  onChange: (entries: QueueEntry[]) => void,
) {
  let entries: QueueEntry[] = []
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const show = (next: QueueEntry[]) => {
    entries = next
    onChange(entries)
  }
  const replace = async (entry: QueueEntry) => {
    await storage.put(entry)
    show(entries.map((other) => (other.seq === entry.seq ? entry : other)))
  }
  const remove = async (entry: QueueEntry) => {
    await storage.remove(entry.seq)
    show(entries.filter((other) => other.seq !== entry.seq))
  }

  const loading = storage.all().then((stored) => show([...stored].sort((a, b) => a.seq - b.seq)))

  const settle = async (entry: QueueEntry, result: Pick<StopEventResult, 'ok' | 'message'>) =>
    result.ok ? await remove(entry) : await replace({ ...entry, refusal: result.message })

  async function sendPhoto({ photo, ...entry }: QueueEntry) {
    if (!photo) return
    await sender.photo(entry.event, photo)
    await replace(entry)
  }

  async function sendBatch(batch: QueueEntry[]) {
    for (const entry of batch) await sendPhoto(entry)
    const results = await sender.events(batch.map(({ event }) => event))
    for (const entry of batch) {
      const result = results.find(({ id }) => id === entry.event.id)
      if (!result) throw new Error('an event without a result')
      await settle(entry, result)
    }
  }

  /** A batch that the server refuses as a whole is sent one by one, so that one bad event does not block the others. */
  async function drain() {
    let size = BATCH
    for (;;) {
      const batch = entries.filter(({ refusal }) => refusal === undefined).slice(0, size)
      const [first] = batch
      if (!first) return
      try {
        await sendBatch(batch)
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (batch.length === 1) await settle(first, { ok: false, message: error.message })
        size = 1
      }
    }
  }

  async function run() {
    await loading
    clearTimeout(timer)
    try {
      await drain()
      failures = 0
    } catch {
      timer = setTimeout(() => void sync(), Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS))
      failures += 1
    }
  }

  /** Sends what is waiting; a second call waits for the first. */
  function sync(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    sync,
    /** Resolves once the event is stored on the phone. */
    async add(event: StopEvent, photo?: Blob) {
      await loading
      const seq = (entries.at(-1)?.seq ?? 0) + 1
      const entry = { seq, event, ...(photo ? { photo } : {}) }
      await storage.put(entry)
      show([...entries, entry])
      void (running ?? Promise.resolve()).then(sync)
    },
    async dismiss(entry: QueueEntry) {
      await remove(entry)
    },
    stop: () => clearTimeout(timer),
  }
}
