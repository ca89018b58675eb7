import { useEffect, useState } from 'react'

export type Places = typeof import('@/features/addresses/places')

/** The official lists are as large as a picture, so they load after the form, which works without them. */
export function usePlaces(): Places | undefined {
  const [places, setPlaces] = useState<Places>()
  useEffect(() => {
    import('@/features/addresses/places').then(setPlaces, () => {})
  }, [])
  return places
}
