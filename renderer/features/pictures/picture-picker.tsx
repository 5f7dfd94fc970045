import { useId, type ReactNode } from 'react'

interface PicturePickerProps {
  label: string
  multiple?: boolean
  onFiles: (files: readonly File[]) => void
  /** The buttons that open it. */
  children: (open: () => void, label: string) => ReactNode
}

/** Lets a person choose pictures from their disk. */
export function PicturePicker({ label, multiple = false, onFiles, children }: PicturePickerProps) {
  const id = useId()

  return (
    <>
      {children(() => document.getElementById(id)?.click(), label)}
      <input
        id={id}
        type="file"
        hidden
        multiple={multiple}
        accept="image/png,image/jpeg,image/webp,image/avif"
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // Lets the same file be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
