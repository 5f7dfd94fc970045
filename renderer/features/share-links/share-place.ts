import { useSyncExternalStore } from 'react'
import type { File } from '../../../server/contract'
import { rememberControl } from '../../ui/dialog/return-focus'

/** A file whose share links the dialog shows. */
export type SharedFile = Pick<File, 'file_id' | 'filename'>

interface ShareRequest {
  /** Another number for each opening. */
  number: number
  file: SharedFile
  isOpen: boolean
  returnFocus: () => void
}

let request: ShareRequest | undefined
const watchers = new Set<() => void>()

const change = (next: ShareRequest | undefined) => {
  request = next
  for (const watcher of watchers) watcher()
}

/** The last request; it stays while the dialog closes. */
export const useShareRequest = (): ShareRequest | undefined =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    () => request,
  )

/** Opens the dialog of the share links of a file, from any page. */
export function openShareLinks({ file_id, filename }: SharedFile): void {
  const number = (request?.number ?? 0) + 1
  change({
    number,
    file: { file_id, filename },
    isOpen: true,
    returnFocus: rememberControl(),
  })
}

export function closeShareLinks(): void {
  if (!request) return
  change({ ...request, isOpen: false })
  request.returnFocus()
}
