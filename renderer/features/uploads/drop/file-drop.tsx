import type { ReactNode, RefObject } from 'react'
import { useDropTarget } from './drop-place'
import classes from './file-drop.module.css'
import type { UploadSource } from '../queue/upload'

interface FileDropProps {
  onFiles: (files: readonly UploadSource[]) => void
  /** What the overlay says while files are held over the window. */
  invitation: string
  /** Filled with what opens the system's dialog by a click. */
  picker: RefObject<HTMLInputElement | null>
  children: ReactNode
}

/** Takes what is dropped anywhere on the window. What is inside decides where the button that opens the file picker stands. */
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
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
