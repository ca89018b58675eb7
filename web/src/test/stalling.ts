import { vi } from 'vitest'

/**
 * Loaded only by `STALL_MS=… npm test`: everything stops for this long around each user action of a test, as on a busy
 * machine. A test that passes does not depend on being fast.
 */
const STALL_MS = Number(process.env.STALL_MS)
const { setTimeout: realTimeout } = globalThis
const cell = new Int32Array(new SharedArrayBuffer(4))

async function stall() {
  // Nothing runs during the stall, not even timers; those that are due run before the next action.
  Atomics.wait(cell, 0, 0, STALL_MS)
  await new Promise((resolve) => realTimeout(resolve, 5))
}

const isFunction = (part: unknown): part is (...args: unknown[]) => unknown => typeof part === 'function'

function slow<T extends object>(person: T): T {
  return new Proxy(person, {
    get(target, name) {
      const act: unknown = Reflect.get(target, name)
      if (!isFunction(act)) return act
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
