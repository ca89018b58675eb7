import { chooseLang, t, useLang } from '@/lib/i18n'
import { announce } from '@/ui/announcer'

/** Labelled in the target language, because its readers know that one. */
const OTHER = {
  en: { lang: 'ne', short: 'ने', long: 'नेपाली', name: 'नेपालीमा हेर्नुहोस्' },
  ne: { lang: 'en', short: 'EN', long: 'English', name: 'EN: view in English' },
} as const

export function LanguageSwitch() {
  const other = OTHER[useLang()]
  return (
    <button
      type="button"
      className="language-switch"
      lang={other.lang}
      aria-label={other.name}
      onClick={async () => {
        await chooseLang(other.lang)
        announce(t('shell.language'))
      }}
    >
      <span>{other.short}</span>
      <span>{other.long}</span>
    </button>
  )
}
