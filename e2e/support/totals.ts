import type { FullResult, Reporter, TestCase } from '@playwright/test/reporter'

/** Prints a last line that scripts can read: '96 passed, 0 flaky, 0 failed, 2 skipped'. */
export default class Totals implements Reporter {
  #tests = new Set<TestCase>()

  onTestEnd(test: TestCase) {
    this.#tests.add(test)
  }

  onEnd({ status }: FullResult) {
    const count = (outcome: ReturnType<TestCase['outcome']>) =>
      [...this.#tests].filter((test) => test.outcome() === outcome).length
    for (const test of this.#tests) {
      if (test.outcome() === 'flaky') process.stdout.write(`flaky: ${test.titlePath().join(' > ')}\n`)
    }
    const counts = `${count('expected')} passed, ${count('flaky')} flaky, ${count('unexpected')} failed, ${count('skipped')} skipped`
    process.stdout.write(`browser tests ${status}: ${counts}\n`)
  }

  printsToStdio() {
    return true
  }
}
