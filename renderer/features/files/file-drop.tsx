import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import classes from './file-drop.module.css'
import { useWindowDrag } from './use-window-drag'

interface FileDropProps {
  onFiles: (files: File[]) => void
  /** What the overlay says while files are held over the window. */
  invitation: string
  /** Filled with what opens the file picker. */
  picker: RefObject<(() => void) | null>
  children: ReactNode
}

/** Makes the whole window take files. What is inside decides where the button that opens the file picker stands. */
export function FileDrop({ onFiles, invitation, picker, children }: FileDropProps) {
  const isDragging = useWindowDrag()

  return (
    <Dropzone
      unstyled
      className={classes.area}
      activateOnClick={false}
      activateOnKeyboard={false}
      openRef={picker}
      onDrop={onFiles}
      inputProps={{ 'aria-label': 'Choose files' }}
    >
      {children}
      {isDragging && (
        <div className={classes.overlay}>
          <div className={classes.target}>
            <IconUpload size={40} stroke={1.5} aria-hidden />
            {invitation}
          </div>
        </div>
      )}
    </Dropzone>
  )
}
