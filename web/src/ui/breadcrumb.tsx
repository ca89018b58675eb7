import type { ReactNode } from 'react'
import { useT } from '@/lib/i18n'

/** `trail` contains the links to the parents; `here` is the current page. */
export function Breadcrumb({ trail, here }: { trail: { key: string; link: ReactNode }[]; here: string }) {
  const t = useT()
  return (
    <nav className="breadcrumb" aria-label={t('category.breadcrumb')}>
      <ol>
        {trail.map(({ key, link }) => (
          <li key={key}>{link}</li>
        ))}
        <li>
          <span aria-current="page">{here}</span>
        </li>
      </ol>
    </nav>
  )
}
