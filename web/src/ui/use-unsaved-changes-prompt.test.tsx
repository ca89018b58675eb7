import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderInShop } from '@/test/render-in-shop'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

function Form() {
  const [asking, decide] = useUnsavedChangesPrompt(() => true)
  if (!asking) return <p>typing</p>
  return (
    <>
      <button type="button" onClick={() => decide(true)}>
        Leave
      </button>
      <button type="button" onClick={() => decide(false)}>
        Stay
      </button>
    </>
  )
}

function Page() {
  const [saved, setSaved] = useState(false)
  return (
    <>
      {saved ? null : <Form />}
      <button type="button" onClick={() => setSaved(true)}>
        Save
      </button>
    </>
  )
}

async function leaving() {
  const shop = await renderInShop(<Page />, { at: '/profile' })
  await act(async () => void shop.router.navigate({ to: '/orders' as never }))
  expect(shop.address()).toBe('/profile')
  const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())
  return { ...shop, press }
}

test('a page change waits for the answer', async () => {
  const { press, address } = await leaving()
  await press('Stay')
  expect(screen.getByText('typing')).toBeInTheDocument()
  expect(address()).toBe('/profile')
})

test('whoever leaves is let go', async () => {
  const { press, address } = await leaving()
  await press('Leave')
  expect(address()).toBe('/orders')
})

test('a form that is saved while it is asked lets the page change go on', async () => {
  const { press, address } = await leaving()
  await press('Save')
  expect(address()).toBe('/orders')
})

test('asked twice, the answer is about the last', async () => {
  const { press, address, router } = await leaving()
  await act(async () => void router.navigate({ to: '/cart' as never }))
  await press('Leave')
  expect(address()).toBe('/cart')
})
