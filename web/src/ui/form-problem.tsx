import type { ReactNode } from 'react'
import { type MessageId, messageText, type RawText } from '@/lib/i18n'

type FormProblemProps = {
  problem: MessageId | RawText | null
  /** Whether screen readers announce it; a toast with the same text announces it as well. */
  announced?: boolean
  /** A way out, such as a link. */
  children?: ReactNode
}

/** The problem with a form as a whole. */
export function FormProblem({ problem, announced = true, children }: FormProblemProps) {
  return problem ? (
    <p className="form-problem" role={announced ? 'alert' : undefined}>
      {messageText(problem)}
      {children}
    </p>
  ) : null
}
