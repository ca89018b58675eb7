import { upload } from '@/api/upload'
import type { User } from '@/features/accounts/session'
import { resizePhoto } from '@/features/media/resize-photo'

type Progress = (share: number) => void

async function toFormData(fields: Record<string, string>, photo: File | null): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (photo) form.append('image', await resizePhoto(photo), photo.name)
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
  return upload<User>('POST', '/api/user/register', await toFormData(fields, photo), onProgress)
}

export async function updateProfile(
  fields: ProfileFields,
  photo: File | 'remove' | null,
  onProgress?: Progress,
) {
  const form =
    photo === 'remove'
      ? await toFormData({ ...fields, removeImage: 'true' }, null)
      : await toFormData(fields, photo)
  return upload<User>('PUT', '/api/user/updateProfile', form, onProgress)
}
