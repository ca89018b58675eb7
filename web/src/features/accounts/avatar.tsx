import { useState } from 'react'
import type { User } from '@/features/accounts/session'

const firstOf = new Intl.Segmenter('ne', { granularity: 'grapheme' })

/** The first letters of the first and the last name; a Devanagari letter keeps its vowel signs. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => [...firstOf.segment(word ?? '')][0]?.segment ?? '')
    .join('')
    .toUpperCase()
}

/** The shopper's photo or initials. It is decoration beside the name, so screen readers skip it. */
export function Avatar({ user, big = false }: { user: User; big?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null)
  const className = big ? 'avatar avatar-big' : 'avatar'
  if (!user.image || broken === user.image) {
    return (
      <span className={className} aria-hidden="true" translate="no">
        {initials(user.name)}
      </span>
    )
  }
  return (
    <img
      className={className}
      src={user.image}
      srcSet={user.imageSet ?? undefined}
      sizes={big ? '96px' : '36px'}
      alt=""
      onError={() => setBroken(user.image)}
    />
  )
}
