import { ApiError, serverFailure } from '@/api/client'

type UploadResponse<T> = { success: boolean; code?: string | null; message?: string; data: T }

/** Sends a form with files. It does not use `fetch`, which cannot report the progress of an upload. */
export function upload<T>(
  method: 'POST' | 'PUT',
  path: string,
  form: FormData,
  onProgress?: (share: number) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.responseType = 'text'
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress?.(loaded / total)
    }
    request.onerror = () => reject(new TypeError('The server could not be reached.'))
    request.onload = () => {
      const answer = parseResponse<T>(request.responseText)
      if (answer?.success && request.status < 400) resolve(answer.data)
      else if (answer && request.status < 500)
        reject(new ApiError(answer.code ?? undefined, request.status, answer.message ?? '', answer.data))
      else reject(serverFailure(request.status, answer?.code))
    }
    request.send(form)
  })
}

function parseResponse<T>(text: string): UploadResponse<T> | undefined {
  try {
    return JSON.parse(text) as UploadResponse<T>
  } catch {
    return undefined
  }
}
