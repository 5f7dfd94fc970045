import { useWindowEvent } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useNavigate } from 'react-router-dom'
import { messages } from '../../../lib/words/messages'
import { paths } from '../../../paths'
import { deliver, useCurrentTarget } from './drop-place'
import { carriesFiles, droppedFiles } from './dropped-files'
import classes from './file-drop.module.css'
import { useWindowDrag } from './use-window-drag'

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
        {target?.invitation ?? messages.upload.dropHere}
      </div>
    </div>
  )
}
