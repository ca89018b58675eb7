import { expect, test } from 'vitest'
import { Refusal } from '@/api/client'
import { upload } from '@/api/upload'
import { broken, no, sentForm, serverAnswers, yes } from '@/test/server'

const form = () => {
  const made = new FormData()
  made.append('name', 'Sita')
  return made
}

test('a yes gives the data, and says on the way how far it has come', async () => {
  const asked = serverAnswers({ 'PUT /x': yes({ a: 1 }) })
  const shares: number[] = []
  await expect(upload('PUT', '/x', form(), (share) => shares.push(share))).resolves.toEqual({ a: 1 })
  expect(shares).toEqual([0.5])
  expect(sentForm(asked).get('name')).toBe('Sita')
})

test('a no is a refusal; a fault and a dead line are not', async () => {
  serverAnswers({
    'POST /no': no(422, 'image_type', 'Not that.'),
    'POST /broken': broken,
    'POST /dead': 'no network',
  })
  await expect(upload('POST', '/no', form())).rejects.toEqual(new Refusal('image_type', 422, 'Not that.'))
  for (const path of ['/broken', '/dead']) {
    const error = await upload('POST', path, form()).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(Refusal)
  }
})
