import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { reloadKeepingInput } from '@/lib/restore-input'
import { LoadError } from '@/lib/retry-load'
import { AlertIcon, Outline } from '@/ui/icons'
import { StatePanel } from '@/ui/state-panel'

/** The last error boundary. It has a plain link, because after a crash only a reloaded page is trustworthy. */
export function RootError({ error }: ErrorComponentProps) {
  const t = useT()
  if (error instanceof LoadError) return <LoadFailed />
  return (
    <main className="site-main wrap">
      <StatePanel
        icon={<AlertIcon size={36} />}
        heading="h1"
        title={t('shell.crash.title')}
        text={t('shell.crash.text')}
        action={
          <a className="button button-primary" href={paths.home}>
            {t('shell.notFound.cta')}
          </a>
        }
      />
    </main>
  )
}

/** Shown when the files of a page could not be loaded. */
function LoadFailed() {
  const t = useT()
  return (
    <main className="site-main wrap">
      <StatePanel
        icon={
          <Outline
            size={36}
            d="M6 18h11.5a3.8 3.8 0 0 0 .6-7.5A6 6 0 0 0 6.6 9 4.6 4.6 0 0 0 6 18zM12 10v4M12 16v.1"
          />
        }
        heading="h1"
        title={t('shell.notLoaded.title')}
        text={t('shell.notLoaded.text')}
        action={
          <button type="button" className="button button-primary" onClick={reloadKeepingInput}>
            {t('shell.reload')}
          </button>
        }
      />
    </main>
  )
}
