import { useEffect, useEffectEvent } from 'react'
import { onFilesOpened, takeOpenedFiles } from '../../../lib/browser/desktop'
import { takeKept } from './drop-place'
import type { UploadSource } from '../upload'

export function useArrivals(onFiles: (files: readonly UploadSource[]) => void): void {
  const arrive = useEffectEvent((files: readonly UploadSource[]) => {
    if (files.length > 0) onFiles(files)
  })
  useEffect(() => {
    const look = () => {
      takeOpenedFiles().then(
        (files) => arrive(files),
        (cause: unknown) => console.error('The opened files were not taken', cause),
      )
    }
    arrive(takeKept())
    look()
    return onFilesOpened(look)
  }, [])
}
