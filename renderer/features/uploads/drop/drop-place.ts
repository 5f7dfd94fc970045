import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { UploadSource } from '../queue/upload'

interface DropTarget {
  /** What is said while files are held over the window. */
  invitation: string
  onFiles: (files: readonly UploadSource[]) => void
}

/** The part of the page that takes what is dropped anywhere on the window; the one that came last, if several do. */
let targets: readonly DropTarget[] = []
/** What was dropped where nothing takes files: it waits for a page that does. */
let waiting: readonly UploadSource[] = []
const watchers = new Set<() => void>()

const change = (next: readonly DropTarget[]) => {
  targets = next
  for (const watcher of watchers) watcher()
}
const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** What takes files at this moment; undefined: nothing on this page does. */
export const useCurrentTarget = (): DropTarget | undefined => useSyncExternalStore(subscribe, () => targets.at(-1))

/** Hands files to what takes them at this very moment, whatever is painted yet; false: they are kept until a page asks. */
export function deliver(files: readonly UploadSource[]): boolean {
  const target = targets.at(-1)
  if (target) target.onFiles(files)
  else waiting = [...waiting, ...files]
  return target !== undefined
}

/** Hands out what was kept, once. */
export function takeKept(): readonly UploadSource[] {
  const kept = waiting
  waiting = []
  return kept
}

/** While this is on the page, it takes what is dropped anywhere on the window. */
export function useDropTarget(invitation: string, onFiles: (files: readonly UploadSource[]) => void): void {
  const take = useEffectEvent((files: readonly UploadSource[]) => onFiles(files))
  useEffect(() => {
    const target: DropTarget = { invitation, onFiles: (files) => take(files) }
    change([...targets, target])
    return () => change(targets.filter((other) => other !== target))
  }, [invitation])
}
