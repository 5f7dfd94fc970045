import { useWindowEvent } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../../paths'
import type { UploadSource } from '../upload'
import { deliver, useCurrentTarget } from './drop-place'
import classes from './file-drop.module.css'

export function DropAnywhere() {
  const isDragging = useWindowDrag()
  const navigate = useNavigate()
  const target = useCurrentTarget()

  useWindowEvent('dragover', (event) => {
    if (carriesFiles(event.dataTransfer)) event.preventDefault()
  })
  useWindowEvent('drop', (event) => {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault()
    const files = droppedFiles(event.dataTransfer)
    if (files.length === 0) return
    if (!deliver(files)) void navigate(paths.myFiles)
  })

  if (!isDragging) return null
  return (
    <div className={classes.overlay}>
      <div className={classes.target}>
        <IconUpload size={40} stroke={1.5} aria-hidden />
        {target?.invitation ?? 'Drop to upload'}
      </div>
    </div>
  )
}

/** Whether files are dragged over the window. */
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

const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true

/** The dropped files in order. Call it within the event: the browser empties the data afterwards. */
function droppedFiles(data: DataTransfer): UploadSource[] {
  return [...data.items].flatMap((item) => {
    const file = item.getAsFile()
    if (!file) return []
    return item.webkitGetAsEntry()?.isDirectory ? [folder(file.name)] : [file]
  })
}

/** A folder appears with the reason for its refusal, instead of its thousands of files. */
const folder = (name: string): UploadSource => ({ name, size: 0, kind: 'folder', offerId: '' })
