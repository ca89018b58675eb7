import type { Page } from '@playwright/test'

/** Whatever the page schedules after one of these delays never runs, however long the test takes. */
export async function dropTimers(page: Page, ...delays: number[]) {
  await page.addInitScript((dropped) => {
    const { setTimeout } = window
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0) => (dropped.includes(ms) ? 0 : setTimeout(run, ms)),
    })
  }, delays)
}
