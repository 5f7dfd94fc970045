import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { carriesFiles } from './dropped-files'

/** Whether somebody is holding files over the window. */
export function useWindowDrag(): boolean {
  const [isDragging, setDragging] = useState(false)
  const hold = ({ dataTransfer }: DragEvent) => {
    if (carriesFiles(dataTransfer)) setDragging(true)
  }
  useWindowEvent('dragenter', hold)
  // They may have come before this code did. What is then shown over the page stays under the pointer, too: a browser
  // loses what is dropped on an element that has just gone.
  useWindowEvent('dragover', hold)
  // Leaving for another element of the page is not leaving the window.
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setDragging(false)
  })
  useWindowEvent('drop', () => setDragging(false))
  return isDragging
}
