import { useEffect } from 'react'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { announce } from '@/ui/announcer'

let firstPage = true

/**
 * Sets the title of the page and announces a new page to screen readers. A page that is still loading is not announced.
 */
export function usePageTitle(page: string | undefined) {
  const t = useT()
  const brand = localText(settings, 'brand', useLang())
  const title = page === undefined ? undefined : t('shell.title', { page, brand })
  useEffect(() => {
    if (title === undefined) return
    document.title = title
    // The screen reader itself announces the title of the first page.
    if (!firstPage) announce(title)
    firstPage = false
  }, [title])
}
