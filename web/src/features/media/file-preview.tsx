import { useEffect, useState } from 'react'

/** Shows a picture that has not been uploaded yet. */
export function FilePreview({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    const address = URL.createObjectURL(file)
    setPicture(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  // A browser that cannot display the file may still send it; then its name is shown.
  return picture ? (
    <img className={className} src={picture} alt={alt} onError={() => setPicture(null)} />
  ) : (
    <p className="photo-name">{file.name}</p>
  )
}
