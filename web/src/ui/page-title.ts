import { useEffect } from 'react'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { announce } from '@/ui/announcer'

let firstPage = true

/** Names the page in the browser tab, and tells screen readers when a new page has come. Nothing is said of a page that is still loading. */
export function usePageTitle(page: string | undefined) {
  const t = useT()
  const brand = localText(settings, 'brand', useLang())
  const title = page === undefined ? undefined : t('shell.title', { page, brand })
  useEffect(() => {
    if (title === undefined) return
    document.title = title
    // The browser itself reads the title of the first page.
    if (!firstPage) announce(title)
    firstPage = false
  }, [title])
}
