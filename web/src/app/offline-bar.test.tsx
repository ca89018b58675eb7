import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { OfflineBar } from '@/app/offline-bar'
import { SubscribeForm } from '@/features/newsletter/subscribe-form'
import { renderInShop } from '@/test/render-in-shop'
import { holdTime, pass } from '@/test/time'

const BAR = 'You are offline. You can browse and fill your cart. Ordering needs a connection.'

function connection(online: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
}

test('without a connection a bar says so, and its return is announced for four seconds', async () => {
  holdTime()
  await renderInShop(<OfflineBar />)
  expect(document.querySelector('.offline-bar')).toBeNull()
  connection(false)
  expect(screen.getByText(BAR)).toBeInTheDocument()
  connection(true)
  expect(screen.getByText('You are back online.')).toBeInTheDocument()
  await pass(3900)
  expect(screen.getByText('You are back online.')).toBeInTheDocument()
  await pass(200)
  expect(document.querySelector('.offline-bar')).toBeNull()
})

test('the newsletter waits for a connection and says why', async () => {
  await renderInShop(<SubscribeForm />)
  const button = screen.getByRole('button', { name: 'Subscribe' })
  connection(false)
  expect(button).toBeDisabled()
  expect(screen.getByText('You are offline. This needs a connection.')).toBeInTheDocument()
  connection(true)
  expect(button).toBeEnabled()
})
