import { useState } from 'react'
import { useT } from '@/lib/i18n'

/** Light, dark, or whatever the device is set to. `early-taps.ts` reads the choice before the first paint. */
const THEMES = ['device', 'light', 'dark'] as const

function choose(theme: string) {
  const { dataset } = document.documentElement
  if (theme === 'device') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'device') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Private windows may refuse storage; the choice lasts until the page is left.
  }
}

export function ThemeSwitch() {
  const t = useT()
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'device')
  return (
    <label className="theme-switch">
      {t('theme.label')}
      <select
        value={theme}
        onChange={({ target }) => {
          choose(target.value)
          setTheme(target.value)
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {t(`theme.${each}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
