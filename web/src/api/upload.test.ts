import { expect, test, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { upload } from '@/api/upload'
import { lastFormData, mockServer, ok, refused, serverFailed } from '@/test/server'

const form = () => {
  const made = new FormData()
  made.append('name', 'Sita')
  return made
}

test('a yes gives the data, and says on the way how far it has come', async () => {
  const requests = mockServer({ 'PUT /x': ok({ a: 1 }) })
  const shares: number[] = []
  await expect(upload('PUT', '/x', form(), (share) => shares.push(share))).resolves.toEqual({ a: 1 })
  expect(shares).toEqual([0.5])
  expect(lastFormData(requests).get('name')).toBe('Sita')
})

// spec: 7.all.2
test('an upload goes to the shop itself, where the browser adds the cookies, and has no time limit', async () => {
  const sent: { timeout: number }[] = []
  const at = vi.fn()
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      timeout = 0
      upload = {}
      open = at
      send() {
        sent.push(this)
      }
    },
  )
  void upload('PUT', '/api/user/updateProfile', form())
  expect(at).toHaveBeenCalledWith('PUT', '/api/user/updateProfile')
  expect(sent).toMatchObject([{ timeout: 0 }])
})

test('a no is a refusal; a fault and a dead line are not', async () => {
  mockServer({
    'POST /no': refused(422, 'image_type', 'Not that.'),
    'POST /broken': serverFailed,
    'POST /dead': 'no network',
  })
  await expect(upload('POST', '/no', form())).rejects.toEqual(new ApiError('image_type', 422, 'Not that.'))
  for (const path of ['/broken', '/dead']) {
    const error = await upload('POST', path, form()).catch((reason) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ApiError)
  }
})
