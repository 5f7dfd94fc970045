import type { ReactNode, RefObject } from 'react'
import { useDropTarget } from './drop-place'
import classes from './file-drop.module.css'
import { readChosen } from '../folder/read-drop'
import type { UploadSource } from '../upload'

interface FileDropProps {
  onFiles: (files: readonly UploadSource[]) => void
  invitation: string
  picker: RefObject<HTMLInputElement | null>
  children: ReactNode
}

/** Takes drops anywhere on the window; its children place the button for the file picker. */
export function FileDrop({ onFiles, invitation, picker, children }: FileDropProps) {
  useDropTarget(invitation, onFiles)

  return (
    <div className={classes.area}>
      {children}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Choose files"
        onChange={({ currentTarget }) => {
          void readChosen(currentTarget.files).then(onFiles)
          // Lets the same file be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
