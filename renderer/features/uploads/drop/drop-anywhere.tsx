import { useWindowEvent } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { onFilesOpened, takeOpenedFiles } from '../../../lib/browser/desktop'
import { useHost } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { paths } from '../../../paths'
import { readDrop } from '../folder/read-drop'
import type { UploadSource } from '../upload'
import classes from './file-drop.module.css'
import {
  carriesFiles,
  dropFiles,
  offerChosen,
  offerFiles,
  registerFolderPicker,
  useInvitation,
} from './drop-place'

/**
 * Accepts files on every page: dropped, pasted, chosen, or opened with the app. Signed-out people
 * sign in first.
 */
export function DropAnywhere() {
  const isDragging = useWindowDrag()
  const invitation = useInvitation()
  const { status } = useSession()
  const { needs_setup } = useHost()
  const navigate = useNavigate()

  const offer = (files: readonly UploadSource[]) => {
    offerFiles(files)
    if (files.length > 0 && status === 'out' && !needs_setup) void navigate(paths.dashboard)
  }
  const take = (data: DataTransfer) =>
    void readDrop(data).then((files) => (status === 'in' ? dropFiles(files) : offer(files)))
  useOpenedFiles(status, offer, () => void navigate(paths.dashboard))

  useWindowEvent('dragover', (event) => {
    if (carriesFiles(event.dataTransfer)) event.preventDefault()
  })

  useWindowEvent('drop', (event) => {
    // A part of a page may take files itself, such as pictures.
    if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return
    event.preventDefault()
    take(event.dataTransfer)
  })

  useWindowEvent('paste', (event) => {
    if (!carriesFiles(event.clipboardData) || isField(event.target)) return
    event.preventDefault()
    take(event.clipboardData)
  })

  return (
    <>
      <input
        ref={registerFolderPicker}
        type="file"
        hidden
        aria-label="Choose a folder"
        onChange={offerChosen}
      />
      {isDragging && (
        <div className={classes.overlay}>
          <div className={classes.target}>
            <IconUpload size={40} stroke={1.5} aria-hidden />
            {invitation}
          </div>
        </div>
      )}
    </>
  )
}

/** Copied cells and pictures carry a file and a text; a field takes the text. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))

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
