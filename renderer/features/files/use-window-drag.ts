import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'

/** Whether somebody is holding files over the window. */
export function useWindowDrag(): boolean {
  const [isDragging, setDragging] = useState(false)
  useWindowEvent('dragenter', ({ dataTransfer }) => {
    if (dataTransfer?.types.includes('Files')) setDragging(true)
  })
  // Leaving for another element of the page is not leaving the window.
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setDragging(false)
  })
  useWindowEvent('drop', () => setDragging(false))
  return isDragging
}
