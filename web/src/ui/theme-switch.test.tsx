import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ThemeSwitch } from '@/ui/theme-switch'

const chosen = () => [document.documentElement.dataset.theme, localStorage.getItem('theme')]

afterEach(() => {
  delete document.documentElement.dataset.theme
})

test('the device decides until somebody chooses, and again when they choose so', async () => {
  render(<ThemeSwitch />)
  const select = screen.getByRole('combobox', { name: 'Theme' })
  expect(select).toHaveDisplayValue('As on this device')
  await userEvent.selectOptions(select, 'Dark')
  expect(chosen()).toEqual(['dark', 'dark'])
  await userEvent.selectOptions(select, 'Light')
  expect(chosen()).toEqual(['light', 'light'])
  await userEvent.selectOptions(select, 'As on this device')
  expect(chosen()).toEqual([undefined, null])
})

test('a page that begins with a choice shows it', () => {
  document.documentElement.dataset.theme = 'dark'
  render(<ThemeSwitch />)
  expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveDisplayValue('Dark')
})
