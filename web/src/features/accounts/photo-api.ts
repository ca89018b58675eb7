import { upload } from '@/api/upload'
import type { User } from '@/features/accounts/session'
import { shrinkPhoto } from '@/features/media/shrink'

type Progress = (share: number) => void

async function formOf(fields: Record<string, string>, photo: File | null): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (photo) form.append('image', await shrinkPhoto(photo), photo.name)
  return form
}

type Registration = { name: string; email: string; password: string; phone: string }
type ProfileFields = {
  name: string
  email: string
  phone: string
  address: string
  currentPassword?: string
}

export async function register(fields: Registration, photo: File | null, onProgress?: Progress) {
  return upload<User>('POST', '/api/user/register', await formOf(fields, photo), onProgress)
}

export async function updateProfile(
  fields: ProfileFields,
  photo: File | 'remove' | null,
  onProgress?: Progress,
) {
  const form =
    photo === 'remove' ? await formOf({ ...fields, removeImage: 'true' }, null) : await formOf(fields, photo)
  return upload<User>('PUT', '/api/user/updateProfile', form, onProgress)
}
