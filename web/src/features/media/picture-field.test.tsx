import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { PictureField } from '@/features/media/picture-field'

const WORDS = { label: 'Image', hint: 'Up to 10MB', drop: 'or drop it here', previewAlt: 'Preview' }
const png = new File(['x'], 'a.png', { type: 'image/png' })

function drop(file: File) {
  const zone = screen.getByText('or drop it here').closest('.picture-drop') as HTMLElement
  const event = createEvent.drop(zone)
  Object.defineProperty(event, 'dataTransfer', { value: { files: [file] } })
  fireEvent(zone, event)
  return event
}

test('a dropped picture counts like a chosen one, and the browser does not open it', () => {
  const onChoice = vi.fn()
  render(<PictureField {...WORDS} choice={null} onChoice={onChoice} />)
  expect(drop(png).defaultPrevented).toBe(true)
  expect(onChoice).toHaveBeenLastCalledWith(png, null)
  drop(new File(['x'], 'a.pdf', { type: 'application/pdf' }))
  expect(onChoice).toHaveBeenLastCalledWith(null, 'type')
})

test('a picture that is there can be taken off where the thing may be without one', async () => {
  const onChoice = vi.fn()
  const props = { ...WORDS, choice: null, onChoice, hasPicture: true, now: <i>now</i> }
  const { rerender } = render(<PictureField {...props} removable={false} />)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<PictureField {...props} />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove image' }))
  expect(onChoice).toHaveBeenLastCalledWith('remove', null)
  rerender(<PictureField {...props} choice="remove" />)
  expect(screen.queryByText('now')).toBeNull()
})

test('how far the upload is shows while a new picture is sent', () => {
  render(<PictureField {...WORDS} choice={png} onChoice={() => {}} progress={0.5} />)
  expect(screen.getByRole('progressbar', { name: 'Uploading the image' })).toHaveAttribute('value', '0.5')
  expect(screen.getByAltText('Preview')).toBeInTheDocument()
})
