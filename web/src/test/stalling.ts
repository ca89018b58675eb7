import { vi } from 'vitest'

/**
 * Loaded only by `STALL_MS=… npm test`: everything stands still for so long around each thing a test's person does, as on a
 * machine whose processor is given to others between two key presses. A test that passes so does not count on being quick.
 */
const STALL_MS = Number(process.env.STALL_MS)
const { setTimeout: realTimeout } = globalThis
const cell = new Int32Array(new SharedArrayBuffer(4))

async function stall() {
  // Nothing runs meanwhile, not even timers; those that came due run then, before the person goes on.
  Atomics.wait(cell, 0, 0, STALL_MS)
  await new Promise((resolve) => realTimeout(resolve, 5))
}

const isDeed = (part: unknown): part is (...args: unknown[]) => unknown => typeof part === 'function'

function slow<T extends object>(person: T): T {
  return new Proxy(person, {
    get(target, name) {
      const act: unknown = Reflect.get(target, name)
      if (!isDeed(act)) return act
      if (name === 'setup') return (...args: unknown[]) => slow(act(...args) as object)
      return async (...args: unknown[]) => {
        await stall()
        const done = await act(...args)
        await stall()
        return done
      }
    },
  })
}

vi.doMock('@testing-library/user-event', async (original) => {
  const real = await original<typeof import('@testing-library/user-event')>()
  return { ...real, default: slow(real.default), userEvent: slow(real.userEvent) }
})
