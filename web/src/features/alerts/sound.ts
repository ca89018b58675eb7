// The sound of a new order. Browsers play nothing before a press on the page, so a person turns it on.
import { createStore } from '@/lib/store'

const KEY = 'thunse.orderSound'

/**
 * `unasked`: nobody has chosen yet on this device. `silent`: wanted, but this page has not been pressed yet, so the
 * browser would not play it.
 */
type SoundState = 'unasked' | 'off' | 'silent' | 'on'

let context: AudioContext | undefined
const state = createStore<SoundState>('unasked')

const remembered = () => {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function remember(choice: 'on' | 'off') {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Where storage is forbidden, the choice counts until the page is left.
  }
}

async function resume() {
  context ??= new AudioContext()
  await context.resume()
  state.set(context.state === 'running' ? 'on' : 'silent')
}

/** Two short tones, made here so that nothing has to be loaded. */
function ring() {
  if (context?.state !== 'running') return
  for (const [start, frequency] of [
    [0, 880],
    [0.18, 1175],
  ] as const) {
    const at = context.currentTime + start
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.35)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.4)
  }
}

export const orderSound = {
  use: state.use,
  /** Called once a dashboard page is open: a remembered choice becomes audible with the first press. */
  restore: () => {
    if (state.read() !== 'unasked') return
    const choice = remembered()
    if (choice === 'off') state.set('off')
    if (choice !== 'on') return
    state.set('silent')
    const wake = () => void resume().catch(() => {})
    addEventListener('pointerdown', wake, { once: true })
    addEventListener('keydown', wake, { once: true })
  },
  turnOn: async () => {
    remember('on')
    await resume()
    ring()
  },
  turnOff: () => {
    remember('off')
    state.set('off')
  },
  /** Plays the sound if it is on. */
  ring: () => {
    if (state.read() === 'on') ring()
  },
}
