import { useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { SeasonPreview } from '@/features/seasons/seller/season-preview'
import { THEME_NAMES, themeTexts } from '@/features/seasons/seller/season-texts'
import {
  type Season,
  type SeasonList,
  type SeasonTerms,
  seasonsApi,
  type Theme,
} from '@/features/seasons/seller/seasons-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'
import { SelectField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormErrors, failure, type ReadField, useForm } from '@/ui/use-form'

const NAMES = ['startsOn', 'endsOn', 'title', 'titleNe', 'text', 'textNe'] as const
type Name = (typeof NAMES)[number]

const TEXTS = { refused: 'seller.seasons.failed', broken: 'seller.seasons.error' } as const
const MAX_TITLE = 40
const MAX_TEXT = 90
const BANNER_TEXTS = [
  { name: 'title', label: 'seller.seasons.bannerTitle', maxLength: MAX_TITLE, lang: 'en' },
  { name: 'titleNe', label: 'seller.seasons.bannerTitleNe', maxLength: MAX_TITLE, lang: 'ne' },
  { name: 'text', label: 'seller.seasons.bannerText', maxLength: MAX_TEXT, lang: 'en' },
  { name: 'textNe', label: 'seller.seasons.bannerTextNe', maxLength: MAX_TEXT, lang: 'ne' },
] as const

type SeasonFormProps = { season: Season | null; themes: SeasonList['themes']; onClose: () => void }

/** Plans a season, or changes one, with a preview of the banner. */
export function SeasonForm({ season, themes, onClose }: SeasonFormProps) {
  const t = useT()
  const lang = useLang()
  const form = useForm<Name>({
    id: 'season-form',
    names: NAMES,
    check: checkTerms,
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return null
      const named =
        error instanceof ApiError ? (error.data as { field?: string } | undefined)?.field : undefined
      if (error instanceof ApiError && error.code === 'season_changed') void seasonsApi.reload()
      return failure(
        serverText(error, TEXTS),
        NAMES.find((name) => name === named),
      )
    },
  })
  const [draft, setDraft] = useState<SeasonTerms>(
    () => season ?? { ...EMPTY, theme: themes[0]?.theme ?? 'dashain' },
  )
  const { onInput, ...bound } = form.bind(async (read) => {
    const terms = readTerms(read)
    await (season ? seasonsApi.update(season, terms) : seasonsApi.add(terms))
    toast.success('seller.seasons.saved')
    onClose()
  })
  const standard = themeTexts(themes, draft.theme)
  const day = (iso: string) => (iso ? formatDate(iso, lang) : undefined)
  return (
    <Dialog
      id="season-dialog"
      variant="form"
      title={t(season ? 'seller.seasons.editTitle' : 'seller.seasons.add')}
      onClose={onClose}
    >
      <form
        className="form"
        {...bound}
        onInput={(event) => {
          onInput(event)
          setDraft(readTerms(form.read))
        }}
      >
        <SelectField label={t('seller.seasons.theme')} name="theme" defaultValue={draft.theme}>
          {themes.map(({ theme }) => (
            <option key={theme} value={theme}>
              {t(THEME_NAMES[theme])}
            </option>
          ))}
        </SelectField>
        <div className="season-pair">
          <TextField
            {...form.field('startsOn')}
            label={t('seller.seasons.from')}
            hint={day(draft.startsOn)}
            type="date"
            defaultValue={draft.startsOn}
            required
          />
          <TextField
            {...form.field('endsOn')}
            label={t('seller.seasons.until')}
            hint={day(draft.endsOn)}
            type="date"
            defaultValue={draft.endsOn}
            required
          />
        </div>
        <p className="muted">{t('seller.seasons.datesHint')}</p>
        {BANNER_TEXTS.map(({ name, label, maxLength, lang }) => (
          <TextField
            key={name}
            {...form.field(name)}
            label={t(label)}
            mark="optional"
            maxLength={maxLength}
            placeholder={standard[name]}
            lang={lang}
            defaultValue={draft[name] ?? ''}
          />
        ))}
        <figure className="season-figure">
          <figcaption className="muted">{t('seller.seasons.preview')}</figcaption>
          <SeasonPreview season={{ ...EMPTY, ...draft }} themes={themes} />
        </figure>
        <FormProblem problem={form.problem} />
        <SubmitButton busy={form.busy} wide>
          {t('seller.seasons.save')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

const EMPTY = { startsOn: '', endsOn: '', title: '', titleNe: '', text: '', textNe: '' }

const checkTerms = (read: ReadField): FormErrors<Name> => ({
  startsOn: read('startsOn') ? undefined : 'seller.seasons.err.from',
  endsOn: !read('endsOn')
    ? 'seller.seasons.err.until'
    : read('endsOn') < read('startsOn')
      ? 'seller.seasons.err.order'
      : undefined,
})

const readTerms = (read: ReadField): SeasonTerms => ({
  theme: read('theme') as Theme,
  startsOn: read('startsOn'),
  endsOn: read('endsOn'),
  title: read('title').trim(),
  titleNe: read('titleNe').trim(),
  text: read('text').trim(),
  textNe: read('textNe').trim(),
})
