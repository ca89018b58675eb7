import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shopUrl } from './api.ts'

/** A proxy to the shop that can be closed, to show what a shopper sees when the server is stopped. */
export async function stoppableProxy(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', shopUrl())
    const onward = ask(target, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const STOPPED = /net::ERR_(CONNECTION|FAILED|EMPTY|SOCKET)|Failed to fetch/
