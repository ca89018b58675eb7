import type { FullResult, Reporter, TestCase } from '@playwright/test/reporter'

/** One last line that scripts can read: '96 passed, 0 failed, 2 skipped'. */
export default class Totals implements Reporter {
  #tests = new Set<TestCase>()

  onTestEnd(test: TestCase) {
    this.#tests.add(test)
  }

  onEnd({ status }: FullResult) {
    const count = (outcome: ReturnType<TestCase['outcome']>) =>
      [...this.#tests].filter((test) => test.outcome() === outcome).length
    const failed = count('unexpected') + count('flaky')
    process.stdout.write(
      `browser tests ${status}: ${count('expected')} passed, ${failed} failed, ${count('skipped')} skipped\n`,
    )
  }

  printsToStdio() {
    return true
  }
}
