import { useRef, useState } from 'react'
import type { File } from '../../../../server/contract'

interface Mark {
  file: File
  page: number
}

export type Selection = ReturnType<typeof useSelection>

interface FilesPage {
  files: readonly File[]
  page: number
  isCurrent: boolean
}

/**
 * The selection across all pages. A file that left its page (deleted elsewhere, filtered out) is
 * deselected.
 */
export function useSelection({ files: pageFiles, page, isCurrent }: FilesPage) {
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map())
  const last = useRef<string>(undefined)

  const onPage = new Map(pageFiles.map((file) => [file.file_id, file]))
  const isGone = (id: string, mark: Mark) => isCurrent && mark.page === page && !onPage.has(id)

  const remainingMarks = [...marks].filter(([id, mark]) => !isGone(id, mark))
  if (remainingMarks.length < marks.size) setMarks(new Map(remainingMarks))
  const selected = remainingMarks.map(([id, mark]) => onPage.get(id) ?? mark.file)

  const set = (files: readonly File[], isSelected: boolean) =>
    setMarks((before) => {
      const next = new Map(before)
      for (const file of files) {
        if (isSelected) next.set(file.file_id, { file, page })
        else next.delete(file.file_id)
      }
      return next
    })

  /** Selects a whole list, page by page in its order. */
  const setAll = (files: readonly File[], perPage: number) =>
    setMarks(
      new Map(
        files.map((file, index) => [file.file_id, { file, page: Math.floor(index / perPage) + 1 }]),
      ),
    )

  /** `isRange` also toggles all files since the last one. */
  const toggle = (file: File, isSelected: boolean, isRange: boolean) => {
    set(isRange ? between(pageFiles, last.current, file) : [file], isSelected)
    last.current = file.file_id
  }
  const isSelected = ({ file_id }: File) => marks.has(file_id)

  const hereCount = selected.filter(({ file_id }) => onPage.has(file_id)).length
  return { selected, hereCount, isSelected, set, setAll, toggle, clear: () => setMarks(new Map()) }
}

/** The files between two, in either direction; only `to` if `from` is not in the list. */
function between(files: readonly File[], from: string | undefined, to: File): readonly File[] {
  const start = files.findIndex(({ file_id }) => file_id === from)
  const end = files.findIndex(({ file_id }) => file_id === to.file_id)
  return start < 0 ? [to] : files.slice(Math.min(start, end), Math.max(start, end) + 1)
}
