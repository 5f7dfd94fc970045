import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { UploadSource } from '../upload'

interface DropTarget {
  invitation: string
  onFiles: (files: readonly UploadSource[]) => void
}

let targets: readonly DropTarget[] = []
/** Files dropped without a target; the next page with a target takes them. */
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

/** The active drop target, or undefined. */
export const useCurrentTarget = (): DropTarget | undefined => useSyncExternalStore(subscribe, () => targets.at(-1))

/** Passes files to the active target. False: they wait for the next one. */
export function deliver(files: readonly UploadSource[]): boolean {
  const target = targets.at(-1)
  if (target) target.onFiles(files)
  else waiting = [...waiting, ...files]
  return target !== undefined
}

export function takeKept(): readonly UploadSource[] {
  const files = waiting
  waiting = []
  return files
}

export function useDropTarget(invitation: string, onFiles: (files: readonly UploadSource[]) => void): void {
  const take = useEffectEvent((files: readonly UploadSource[]) => onFiles(files))
  useEffect(() => {
    const target: DropTarget = { invitation, onFiles: (files) => take(files) }
    change([...targets, target])
    return () => change(targets.filter((other) => other !== target))
  }, [invitation])
}
