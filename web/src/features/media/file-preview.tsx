import { useEffect, useState } from 'react'

/** Shows a picture that is still on this device. */
export function FilePreview({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    const address = URL.createObjectURL(file)
    setPicture(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  // A browser that cannot show it may still send it; then the name has to do.
  return picture ? (
    <img className={className} src={picture} alt={alt} onError={() => setPicture(null)} />
  ) : (
    <p className="photo-name">{file.name}</p>
  )
}
