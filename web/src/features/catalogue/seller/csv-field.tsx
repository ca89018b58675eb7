import { useEffect, useRef } from 'react'
import { errorText } from '@/features/catalogue/seller/error-text'
import { type Import, importApi } from '@/features/catalogue/seller/import-api'
import { DropField } from '@/features/media/drop-field'
import { messageText, type RawText, t as text, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { UploadIcon } from '@/ui/icons-catalogue'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

export const CSV_FIELD = 'csv-file'
const MAX_BYTES = 40 * 1024 * 1024

/** Uploads the file as soon as it is chosen; the shop changes only after the seller confirms the import. */
export function CsvField({ onSent }: { onSent: (sent: Import) => void }) {
  const t = useT()
  const online = useOnline()
  const picker = useRef<HTMLInputElement>(null)
  const { busy, progress, problem, ...form } = useForm({ onError: (error) => failure(errorText(error)) })
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const send = (file: File | undefined) => {
    if (!file || !online) return
    // Choosing the corrected file under the same name must count as a new choice.
    if (picker.current) picker.current.value = ''
    if (!/\.(csv|zip)$/i.test(file.name)) return form.setProblem('seller.imports.notCsv')
    if (file.size > MAX_BYTES) return form.setProblem('seller.imports.zipTooLarge')
    return form.send(async (_, onProgress) => {
      onProgress(0)
      const sent = await importApi.send(file, onProgress)
      // A seller who has left the page is not sent back to it.
      if (here.current) onSent(sent)
      else toast.success(text('seller.imports.sent', { file: sent.fileName }) as RawText)
    })
  }

  return (
    <DropField
      id={CSV_FIELD}
      label={t('seller.imports.file')}
      hint={online ? t('seller.imports.limit') : t('form.offline')}
      error={problem ? messageText(problem) : undefined}
      className="csv-drop"
      picker={picker}
      accept=".csv,.zip,text/csv,application/zip"
      disabled={busy || !online}
      onFile={send}
      below={
        progress === undefined ? null : (
          <progress className="upload" value={progress} max={1} aria-label={t('seller.imports.sending')} />
        )
      }
    >
      {(input) => (
        <>
          <span className="button button-primary photo-pick">
            {busy ? <span className="spinner" /> : <UploadIcon />}
            {t('seller.imports.choose')}
            <input {...input} />
          </span>
          <span className="picture-drop-hint">{t('seller.imports.drop')}</span>
        </>
      )}
    </DropField>
  )
}
