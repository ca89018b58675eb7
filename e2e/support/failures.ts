import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter'

const LAST_STEPS = 15
const MOST_LINES = 80

/** Prints the last steps of a failed test and the page as it was, because CI deletes all files at its end. */
export default class Failures implements Reporter {
  onTestEnd(test: TestCase, result: TestResult) {
    if (result.status === test.expectedStatus) return
    const steps = flat(result.steps).slice(-LAST_STEPS).map(describe)
    const page = result.attachments.find(({ name }) => name === 'error-context')?.path
    const shown = page ? readFileSync(page, 'utf8').split('\n').slice(0, MOST_LINES) : []
    process.stdout.write(
      `\nlast steps of '${test.title}':\n${[...steps, ...shown].map((line) => `  ${line}\n`).join('')}`,
    )
  }

  printsToStdio() {
    return false
  }
}

const flat = (steps: TestStep[]): TestStep[] => steps.flatMap((step) => [step, ...flat(step.steps)])

function describe({ title, duration, error, location }: TestStep): string {
  const place = location ? ` (${relative(process.cwd(), location.file)}:${location.line})` : ''
  const outcome = duration < 0 ? 'not ended' : `${duration} ms${error ? ', failed' : ''}`
  return `${outcome}: ${title}${place}`
}
