import { useEffect, useRef, useState } from 'react'
import { failureText } from '@/features/catalogue/seller-failure'
import { type Import, importApi } from '@/features/catalogue/seller-import-api'
import { type RawText, say, t as text, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { UploadIcon } from '@/ui/icons-shelves'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

export const CSV_FIELD = 'csv-file'

/** Sends the file as soon as it is chosen: nothing happens to the shop before somebody says so. */
export function CsvField({ onSent }: { onSent: (sent: Import) => void }) {
  const t = useT()
  const online = useOnline()
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [progress, setProgress] = useState<number>()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, run] = useBusy()
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const send = (file: File | undefined) => {
    if (!file || !online) return
    // Chosen again after mending, the same name must count as a new choice.
    if (picker.current) picker.current.value = ''
    if (!/\.csv$/i.test(file.name)) return setProblem(t('simp.notCsv'))
    setProblem(null)
    return void run(async () => {
      setProgress(0)
      try {
        const sent = await importApi.send(file, setProgress)
        // Whoever has gone on meanwhile is not fetched back.
        if (here.current) onSent(sent)
        else toast.success(text('simp.sent', { file: sent.fileName }) as RawText)
      } catch (error) {
        const said = failureText(error)
        toast.error(said)
        setProblem(say(said))
      } finally {
        setProgress(undefined)
      }
    })
  }

  return (
    <div className="field">
      <label htmlFor={CSV_FIELD}>{t('simp.file')}</label>
      <p id={`${CSV_FIELD}-hint`} className="field-hint">
        {online ? t('simp.limit') : t('form.offline')}
      </p>
      {problem ? (
        <p id={`${CSV_FIELD}-error`} className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first */}
      <div
        className="picture-drop csv-drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          send(event.dataTransfer.files[0])
        }}
      >
        <span className="button button-primary photo-pick">
          {busy ? <span className="spinner" /> : <UploadIcon />}
          {t('simp.choose')}
          <input
            ref={picker}
            id={CSV_FIELD}
            type="file"
            accept=".csv,text/csv"
            disabled={busy || !online}
            aria-describedby={`${CSV_FIELD}-hint${problem ? ` ${CSV_FIELD}-error` : ''}`}
            aria-invalid={problem ? true : undefined}
            onChange={(event) => send(event.target.files?.[0])}
          />
        </span>
        <span className="picture-drop-hint">{t('simp.drop')}</span>
      </div>
      {progress === undefined ? null : (
        <progress className="upload" value={progress} max={1} aria-label={t('simp.sending')} />
      )}
    </div>
  )
}
