import { render } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Subject } from '@/features/media/drawing/model'
import { PicturePlaceholder, toneOf } from '@/features/media/picture-placeholder'
import { activateLang } from '@/lib/i18n'

test('the tone of a category is the one the server computes', () => {
  // The same vectors are in server/src/site/view.rs.
  expect(toneOf('')).toBe(0x811c9dc5 % 8)
  expect(toneOf('a')).toBe(0xe40c292c % 8)
  expect(toneOf('rice-grains')).toBe(7)
  expect(toneOf('vegetables')).toBe(1)
})

describe('something without a photo', () => {
  afterEach(() => activateLang('en'))

  async function draw(subject: Subject) {
    const { container } = render(<PicturePlaceholder seed="spices" subject={subject} />)
    const picture = container.firstElementChild
    expect(picture?.className, 'the colour is there before the drawing').toBe(
      `picture tone-${toneOf('spices')}`,
    )
    expect(picture?.getAttribute('aria-hidden')).toBe('true')
    await vi.waitFor(() => expect(picture?.querySelector('svg.drawing')).not.toBeNull(), { timeout: 25_000 })
    return container
  }

  const rice = {
    name: 'Sona Rice (Old)',
    nameNe: 'सोना चामल',
    packLabel: '5 kg bag',
    packLabelNe: '५ केजी बोरा',
  }

  test('is drawn with its name and the size of its pack', async () => {
    const container = await draw(rice)
    expect(container.textContent).toContain('Sona Rice')
    expect(container.textContent).not.toContain('Old')
    expect(container.textContent).toContain('5 kg')
  })

  test('has its Nepali name in Nepali', async () => {
    await activateLang('ne')
    const container = await draw(rice)
    expect(container.textContent).toContain('सोना चामल')
    expect(container.textContent).toContain('५ केजी')
  })

  test('has a picture of the emoji that its goods have', async () => {
    const container = await draw({ name: 'Tomato' })
    expect(container.querySelector('image')?.getAttribute('href')).toMatch(/1f345.*\.webp/)
  })

  test('has no name on it if it is a category', async () => {
    const container = await draw({ name: 'Rice & Grains', isCategory: true })
    expect(container.textContent).toBe('')
  })
})
