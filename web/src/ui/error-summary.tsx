import { useEffect, useId, useRef } from 'react'
import { useT } from '@/lib/i18n'

export type Problem = { id: string; text: string }

/** Lists the errors of a form with links to the fields. Takes the focus whenever the form was refused again. */
export function ErrorSummary({ problems, attempt }: { problems: Problem[]; attempt: number }) {
  const t = useT()
  const title = useId()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every refused attempt leads back here
  useEffect(() => {
    box.current?.focus()
  }, [attempt])
  if (problems.length === 0) return null
  return (
    <div ref={box} className="error-summary" role="alert" tabIndex={-1} aria-labelledby={title}>
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
