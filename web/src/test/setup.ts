import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'
import { toast } from '@/ui/toast'

afterEach(() => {
  cleanup()
  toast.dismissAll()
  localStorage.clear()
})
