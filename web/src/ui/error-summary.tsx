import { useId } from 'react'
import { useT } from '@/lib/i18n'

export type Problem = { id: string; text: string }

/** Lists the errors of a form with links to the fields. `useForm` moves the focus to it. */
export function ErrorSummary({ problems }: { problems: Problem[] }) {
  const t = useT()
  const title = useId()
  if (problems.length === 0) return null
  return (
    <div className="error-summary" role="alert" tabIndex={-1} aria-labelledby={title}>
      <h2 id={title}>{t('form.problem')}</h2>
      <ul>
        {problems.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(id)?.focus()
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
