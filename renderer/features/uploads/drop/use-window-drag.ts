import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { carriesFiles } from './dropped-files'

export function useWindowDrag(): boolean {
  const [isDragging, setDragging] = useState(false)
  const hold = ({ dataTransfer }: DragEvent) => {
    if (carriesFiles(dataTransfer)) setDragging(true)
  }
  useWindowEvent('dragenter', hold)
  // Files may arrive before this code did. The overlay stays under the pointer: a browser loses a drop on a removed
  // element.
  useWindowEvent('dragover', hold)
  // A move to another element of the page does not leave the window.
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setDragging(false)
  })
  useWindowEvent('drop', () => setDragging(false))
  return isDragging
}
