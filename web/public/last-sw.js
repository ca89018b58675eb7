// Not in use. An operator puts it in the place of sw.js to end a service worker that does harm: it throws away what was
// kept, takes itself off, and from then on every page comes from the server again (docs/how-to/run-the-shop.md).
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await self.registration.unregister()
  }
  event.waitUntil(clear())
})
