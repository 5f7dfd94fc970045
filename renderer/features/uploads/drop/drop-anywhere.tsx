import { useWindowEvent } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { onFilesOpened, takeOpenedFiles } from '../../../lib/browser/desktop'
import { useSession } from '../../../lib/session/session'
import { paths } from '../../../paths'
import type { UploadSource } from '../upload'
import classes from './file-drop.module.css'
import { carriesFiles, useInvitation, useOffer } from './drop-place'

/** Shows on every page where dragged files go, and takes those that were opened with the app. */
export function DropAnywhere() {
  const isDragging = useWindowDrag()
  const invitation = useInvitation()
  const offer = useOffer()
  const navigate = useNavigate()
  useOpenedFiles(useSession().status, offer, () => void navigate(paths.dashboard))

  if (!isDragging) return null
  return (
    <div className={classes.overlay}>
      <div className={classes.target}>
        <IconUpload size={40} stroke={1.5} aria-hidden />
        {invitation}
      </div>
    </div>
  )
}

/**
 * In the app window: files that the system opens with Slipway. They wait in the window's process
 * until a person has signed in.
 */
function useOpenedFiles(
  status: ReturnType<typeof useSession>['status'],
  onFiles: (files: readonly UploadSource[]) => void,
  signIn: () => void,
): void {
  const arrive = useEffectEvent(onFiles)
  const askForAccount = useEffectEvent(signIn)

  useEffect(() => {
    if (status === 'out') return onFilesOpened(() => askForAccount())
    if (status === 'loading') return
    const look = () => {
      takeOpenedFiles().then(
        (files) => arrive(files),
        (cause: unknown) => console.error('The opened files were not taken', cause),
      )
    }
    look()
    return onFilesOpened(look)
  }, [status])
}

/** Whether files are dragged over the window. */
export function useWindowDrag(): boolean {
  const [isDragging, setDragging] = useState(false)

  const hold = ({ dataTransfer }: DragEvent) => {
    if (carriesFiles(dataTransfer)) setDragging(true)
  }

  useWindowEvent('dragenter', hold)
  // Files may arrive before this code did. The overlay stays under the pointer: a browser loses a
  // drop on a removed element.
  useWindowEvent('dragover', hold)

  // A move to another element of the page does not leave the window.
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setDragging(false)
  })
  useWindowEvent('drop', () => setDragging(false))

  return isDragging
}
