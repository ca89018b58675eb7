import { router } from '@/app/router'
import type { Asked } from '@/lib/kept'
import { saveData } from '@/lib/save-data'
import { toast } from '@/ui/toast'

/** Nobody is spoken to here: they are about to order, to pay, or to type an address. */
const BUSY_WITH = /^\/(?:cart|payment|add_address)$/
const LOOK_AGAIN_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

const workers = navigator.serviceWorker
/** Pages that a worker has brought are kept already. */
const seenByNobody = !workers.controller

void start().catch(() => {
  // Storage may be forbidden, or the file may not arrive. The shop works without; it only needs its network.
})

async function start() {
  const registration = await workers.register('/sw.js')
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => void consider(registration))
  })
  void consider(registration)
  lookAgain(registration)
  const keep = (worker: ServiceWorker | null) =>
    tell(worker, {
      type: 'keep',
      seen: seenByNobody ? whatThisPageIsMadeOf() : [],
      ahead: !saveData(),
      nepali: document.documentElement.lang === 'ne',
    })
  keep((await workers.ready).active)
  // One that comes in later has its own list of what to fetch ahead.
  workers.addEventListener('controllerchange', () => keep(workers.controller))
}

const tell = (worker: ServiceWorker | null, asked: Asked, reply: Transferable[] = []) =>
  worker?.postMessage(asked, reply)

function whatThisPageIsMadeOf(): string[] {
  return [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
}

/** Browsers look for a new version when a page is opened; whoever leaves the shop open for hours is looked after here. */
function lookAgain(registration: ServiceWorkerRegistration) {
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - looked < LOOK_AGAIN_MS) return
    looked = Date.now()
    registration.update().catch(() => {})
  })
}

/** A new version waits. It is offered, unless this page is of it already. */
async function consider(registration: ServiceWorkerRegistration) {
  const { waiting } = registration
  if (!waiting || !workers.controller) return
  if (await isOf(waiting)) tell(waiting, { type: 'take-over' })
  else offer(registration)
}

function isOf(worker: ServiceWorker): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.href
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    tell(worker, { type: 'whose', entry: new URL(entry).pathname }, [port2])
  })
}

let offered = false

/** In this tab, when it is wanted here. Another tab goes on as it is: what it is made of is kept. */
function offer(registration: ServiceWorkerRegistration) {
  if (offered) return
  offered = true
  const reload = () => {
    // An even newer one may have come, or another tab may have let it in already.
    if (!registration.waiting) return location.reload()
    workers.addEventListener('controllerchange', () => location.reload(), { once: true })
    tell(registration.waiting, { type: 'take-over' })
  }
  let busy: boolean | undefined
  const look = () => {
    const was = busy
    busy = BUSY_WITH.test(location.pathname)
    if (busy === was) return
    if (busy) toast.dismiss('update.ready')
    else toast.success('update.ready', { label: 'shell.reload', run: reload }, DAY_MS)
  }
  look()
  router.subscribe('onRendered', look)
}
