/** The phone's database: what waits to be sent, and the stops of the day for when there is no connection. */
import type { QueueEntry, QueueStorage } from '@/features/riders/queue'

const NAME = 'thunse-rider'
const EVENTS = 'events'
const STOPS = 'stops'
const TODAY = 'today'

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(EVENTS, { keyPath: 'seq' })
      request.result.createObjectStore(STOPS)
    }
    return result(request)
  })()
  return opening
}

/** Resolves when the change is on the disk, not only in the transaction. */
async function write(name: string, change: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(name, 'readwrite', { durability: 'strict' })
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  change(transaction.objectStore(name))
  return done
}

const read = async (name: string) => (await open()).transaction(name).objectStore(name)

const onDisk: QueueStorage = {
  all: async () => result<QueueEntry[]>((await read(EVENTS)).getAll()),
  put: (entry) => write(EVENTS, (store) => store.put(entry)),
  remove: (seq) => write(EVENTS, (store) => store.delete(seq)),
}

/** For a browser without the database: what is recorded lasts as long as the page. */
function inMemory(): QueueStorage {
  const stored = new Map<number, QueueEntry>()
  return {
    all: async () => [...stored.values()],
    put: async (entry) => void stored.set(entry.seq, entry),
    remove: async (seq) => void stored.delete(seq),
  }
}

const hasDatabase = () => typeof indexedDB !== 'undefined'

export const queueStorage = (): QueueStorage => (hasDatabase() ? onDisk : inMemory())

export async function storeStops<T>(stops: T): Promise<void> {
  if (hasDatabase()) await write(STOPS, (store) => store.put(stops, TODAY))
}

export async function storedStops<T>(): Promise<T | undefined> {
  if (!hasDatabase()) return undefined
  return result<T | undefined>((await read(STOPS)).get(TODAY))
}
