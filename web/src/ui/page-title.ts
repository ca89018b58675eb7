import { useEffect } from 'react'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { announce } from '@/ui/announcer'

let firstPage = true
let badge = 0

/** Shows a number before the title, which is visible also while the tab is in the background; zero removes it. */
export function setTitleBadge(count: number) {
  badge = count
  showTitle(document.title.replace(BADGE, ''))
}

const BADGE = /^\(\d+\) /

function showTitle(title: string) {
  document.title = badge > 0 ? `(${badge}) ${title}` : title
}

/**
 * Sets the title of the page and announces a new page to screen readers. A page that is still loading is not announced.
 */
export function usePageTitle(page: string | undefined) {
  const t = useT()
  const brand = localText(settings, 'brand', useLang())
  const title = page === undefined ? undefined : t('shell.title', { page, brand })
  useEffect(() => {
    if (title === undefined) return
    showTitle(title)
    // The screen reader itself announces the title of the first page.
    if (!firstPage) announce(title)
    firstPage = false
  }, [title])
}
