import { router } from '@/app/router'
import type { WorkerMessage } from '@/lib/offline-cache'
import { saveData } from '@/lib/save-data'
import { toast } from '@/ui/toast'

/** No update is offered on pages where the shopper is about to order, to pay or to type an address. */
const NO_UPDATE_PROMPT = /^\/(?:cart|payment|add_address)$/
const UPDATE_CHECK_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

const container = navigator.serviceWorker
/** Pages that a service worker has served are cached already. */
const uncontrolled = !container.controller

void start().catch(() => {
  // Storage may be forbidden, or the file may not arrive. The shop then works online only.
})

async function start() {
  const registration = await container.register('/sw.js')
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => void handleWaitingWorker(registration))
  })
  void handleWaitingWorker(registration)
  checkForUpdates(registration)
  const keep = (worker: ServiceWorker | null) =>
    postToWorker(worker, {
      type: 'keep',
      resources: uncontrolled ? pageResources() : [],
      prefetch: !saveData(),
      nepali: document.documentElement.lang === 'ne',
    })
  keep((await container.ready).active)
  // A worker that takes over later has its own list of files to fetch ahead.
  container.addEventListener('controllerchange', () => keep(container.controller))
}

const postToWorker = (worker: ServiceWorker | null, message: WorkerMessage, reply: Transferable[] = []) =>
  worker?.postMessage(message, reply)

function pageResources(): string[] {
  return [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
}

/** Browsers check for a new version when a page is opened; this covers a shop that stays open for hours. */
function checkForUpdates(registration: ServiceWorkerRegistration) {
  let lastCheck = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastCheck < UPDATE_CHECK_MS) return
    lastCheck = Date.now()
    registration.update().catch(() => {})
  })
}

/** Offers the new version that is waiting, unless this page belongs to it already. */
async function handleWaitingWorker(registration: ServiceWorkerRegistration) {
  const { waiting } = registration
  if (!waiting || !container.controller) return
  if (await isSameBuild(waiting)) postToWorker(waiting, { type: 'take-over' })
  else offerUpdate(registration)
}

function isSameBuild(worker: ServiceWorker): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.href
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    postToWorker(worker, { type: 'whose', entry: new URL(entry).pathname }, [port2])
  })
}

let updateOffered = false

/** Offers the update in this tab only. Other tabs continue with the old version, whose files are cached. */
function offerUpdate(registration: ServiceWorkerRegistration) {
  if (updateOffered) return
  updateOffered = true
  const reload = () => {
    // An even newer version may have arrived, or another tab may have activated this one already.
    if (!registration.waiting) return location.reload()
    container.addEventListener('controllerchange', () => location.reload(), { once: true })
    postToWorker(registration.waiting, { type: 'take-over' })
  }
  let busy: boolean | undefined
  const updatePrompt = () => {
    const was = busy
    busy = NO_UPDATE_PROMPT.test(location.pathname)
    if (busy === was) return
    if (busy) toast.dismiss('update.ready')
    else toast.success('update.ready', { label: 'shell.reload', run: reload }, DAY_MS)
  }
  updatePrompt()
  router.subscribe('onRendered', updatePrompt)
}
