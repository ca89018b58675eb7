import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { THEME_NAMES } from '@/features/seasons/seller/season-texts'
import { SellerSeasonsPage } from '@/pages/seller/seasons-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/season/get_seasons'
const ADD = 'POST /api/season/add_season'
const UPDATE = 'PUT /api/season/update_season'
const DELETE = 'POST /api/season/delete_season'

const THEMES = [
  { theme: 'dashain', title: 'Happy Dashain!', titleNe: 'दशैंको शुभकामना!', text: 'A feast.', textNe: 'भोज।' },
  { theme: 'tihar', title: 'Happy Tihar!', titleNe: 'तिहारको शुभकामना!', text: 'Lamps.', textNe: 'दियो।' },
]
const TIHAR = {
  _id: 's-1',
  theme: 'tihar',
  startsOn: '2026-11-07',
  endsOn: '2026-11-11',
  title: '',
  titleNe: '',
  text: 'Sel roti for everybody.',
  textNe: '',
  state: 'shown',
  version: 4,
}
const list = (...seasons: object[]) => ok({ seasons, themes: THEMES })

async function openPage(table: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({ [LIST]: list(TIHAR), ...table })
  await renderInShop(<SellerSeasonsPage />, { at: '/seller/seasons' })
  const sent = (path: string) => requests.find((request) => request.path === path)?.body
  return { user: userEvent.setup(), sent }
}

test('every theme has a picture', () => {
  const pictures = readdirSync(join(import.meta.dirname, '../../../public/seasons'))
  expect(pictures.toSorted()).toEqual(
    Object.keys(THEME_NAMES)
      .map((theme) => `${theme}.svg`)
      .toSorted(),
  )
})

test('a season shows its days, its state and the banner that shoppers see', async () => {
  await openPage()
  const season = await screen.findByTestId('season')
  expect(season).toHaveTextContent('TiharShown now')
  expect(season).toHaveTextContent('7 Nov 2026 – 11 Nov 2026')
  const banner = season.querySelector('.hero')
  expect(banner).toHaveAttribute('data-season', 'tihar')
  expect(banner).toHaveTextContent('Welcome to ThunseHappy Tihar!Sel roti for everybody.Shop Now')
  // The preview has no heading of its own, and nothing in it can be reached.
  expect(banner?.querySelector('h1')).toBeNull()
  expect(banner?.closest('[inert]')).not.toBeNull()
})

test('a season is planned after its days were checked, and the preview follows the fields', async () => {
  const { user, sent } = await openPage({ [LIST]: list(), [ADD]: list(TIHAR) })
  expect(await screen.findByText('No season is planned.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'New season' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New season' }))
  await user.click(dialog.getByRole('button', { name: 'Save season' }))
  expect(dialog.getByText('Choose the first day.')).toBeInTheDocument()
  expect(dialog.getByText('Choose the last day.')).toBeInTheDocument()
  await user.selectOptions(dialog.getByLabelText('Theme'), 'Tihar')
  expect(dialog.getByText('Happy Tihar!')).toBeInTheDocument()
  expect(dialog.getByLabelText(/^Title \(/)).toHaveAttribute('placeholder', 'Happy Tihar!')
  await user.type(dialog.getByLabelText(/^First day/), '2026-11-07')
  await user.type(dialog.getByLabelText(/^Last day/), '2026-11-06')
  await user.click(dialog.getByRole('button', { name: 'Save season' }))
  expect(dialog.getByText('The last day must not be before the first.')).toBeInTheDocument()
  await user.clear(dialog.getByLabelText(/^Last day/))
  await user.type(dialog.getByLabelText(/^Last day/), '2026-11-11')
  await user.type(dialog.getByLabelText(/^Text \(/), 'Sel roti for everybody.')
  expect(dialog.getByText('Sel roti for everybody.')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Save season' }))
  expect(await screen.findByTestId('season')).toHaveTextContent('Tihar')
  expect(sent('/api/season/add_season')).toEqual({
    theme: 'tihar',
    startsOn: '2026-11-07',
    endsOn: '2026-11-11',
    title: '',
    titleNe: '',
    text: 'Sel roti for everybody.',
    textNe: '',
  })
})

test('a changed season is sent with its version, and a refusal names the field', async () => {
  const tooLong = refused(422, 'field_invalid', 'A season lasts 183 days at most.', { field: 'endsOn' })
  const { user, sent } = await openPage({ [UPDATE]: tooLong })
  await user.click(await screen.findByRole('button', { name: 'Edit Tihar' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit season' }))
  await user.click(dialog.getByRole('button', { name: 'Save season' }))
  expect(
    await dialog.findByText('A season lasts 183 days at most.', { selector: '.field-error' }),
  ).toBeInTheDocument()
  expect(dialog.getByLabelText(/^Last day/)).toHaveAttribute('aria-invalid', 'true')
  expect(sent('/api/season/update_season')).toMatchObject({ seasonId: 's-1', version: 4, theme: 'tihar' })
})

test('a season is deleted after a question', async () => {
  const { user, sent } = await openPage({ [DELETE]: list() })
  await user.click(await screen.findByRole('button', { name: 'Delete Tihar' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this season?' }))
  expect(dialog.getByText('The home page will not show Tihar on these days.')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('No season is planned.')).toBeInTheDocument()
  expect(sent('/api/season/delete_season')).toEqual({ seasonId: 's-1' })
})

test('who may not edit products sees the seasons without buttons', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, {
    name: 'Maya',
    email: 'maya@thunse.example',
    permissions: ['products.read'],
  } as never)
  await openPage()
  await screen.findByTestId('season')
  expect(screen.queryByRole('button')).toBeNull()
})
