import { useMemo } from 'react'
import { Drawing } from '@/features/media/drawing/drawing'
import { emojiName } from '@/features/media/drawing/emoji-name'
import type { Subject } from '@/features/media/drawing/model'
import { packSize } from '@/features/media/drawing/pack-size'
import { EmojiPictures } from '@/features/media/drawing/parts'
import { chooseDrawing } from '@/features/media/drawing/rules'
import { useLang } from '@/lib/i18n'
import { localText } from '@/lib/local-text'

const ADDRESSES = import.meta.glob<string>('@/assets/emoji/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

const emojiAddress = (emoji: string) => ADDRESSES[`/src/assets/emoji/${emojiName(emoji)}.webp`]

/** A longer name would be too small to read; the whole name is beside the picture. */
const LONGEST = 30

/** The name as a pack has it: without what is in brackets, and cut off after a word. */
function shortName(name: string): string {
  const plain = name.replace(/\s*\([^)]*\)/g, '').trim() || name
  return plain.length <= LONGEST ? plain : plain.slice(0, LONGEST).replace(/\s+\S*$/, '')
}

/** The drawing of a product or a category that has no photo, with its name in the reader's language. */
export function SubjectDrawing({ subject }: { subject: Subject }) {
  const lang = useLang()
  const { name, nameNe, category, packLabel, packLabelNe, isCategory } = subject
  const drawing = useMemo(
    () => chooseDrawing({ name, nameNe, category, packLabel }),
    [name, nameNe, category, packLabel],
  )
  const label = shortName(localText({ name, nameNe }, 'name', lang))
  const pack = packSize(localText({ packLabel, packLabelNe }, 'packLabel', lang))
  return (
    <EmojiPictures value={emojiAddress}>
      <Drawing drawing={isCategory ? drawing : { ...drawing, label, ...(pack ? { pack } : {}) }} />
    </EmojiPictures>
  )
}
