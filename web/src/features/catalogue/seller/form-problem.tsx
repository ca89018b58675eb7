import { type MessageId, messageText, type RawText } from '@/lib/i18n'

/** The problem with a form as a whole. */
export function FormProblem({ problem }: { problem: MessageId | RawText | null }) {
  return problem ? (
    <p className="form-problem" role="alert">
      {messageText(problem)}
    </p>
  ) : null
}
