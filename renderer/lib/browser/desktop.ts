import type {
  Desktop,
  OpenedFile,
  RestoreState,
  TaskProgress,
} from '../../../server/contract/host/desktop'

declare global {
  interface Window {
    desktop?: Desktop
  }
}

/**
 * In the app window: subscribes to changes of the host's network. Returns the unsubscribe function.
 */
export const onHostChanged = (listener: () => void): (() => void) | undefined =>
  window.desktop?.onHostChanged(listener)

/**
 * In the app window: subscribes to changes of projects by others. Returns the unsubscribe function.
 */
export const onProjectChanged = (listener: () => void): (() => void) | undefined =>
  window.desktop?.onProjectChanged(listener)

/** In the app window, after a crash: what the host recovered; else null. */
export const startReport = async (): Promise<string | null> =>
  (await window.desktop?.startReport()) ?? null

export const showDataFolder = async (): Promise<void> => window.desktop?.showDataFolder()

/**
 * In the app window: subscribes to page requests of the menu or a link. Returns the unsubscribe
 * function.
 */
export const onOpenPage = (listener: (path: string) => void): (() => void) | undefined =>
  window.desktop?.onOpenPage(listener)

export const offerFile = async (file: File): Promise<string | null> =>
  (await window.desktop?.offerFile(file)) ?? null

/** In the app window: files that the system opened since the last call; else none. */
export const takeOpenedFiles = async (): Promise<OpenedFile[]> =>
  (await window.desktop?.takeOpenedFiles()) ?? []

export const onFilesOpened = (listener: () => void): (() => void) | undefined =>
  window.desktop?.onFilesOpened(listener)

export const isAppWindow = (): boolean => window.desktop !== undefined

/** In the app window: the chosen folder, or null. Calls name it by `name`. */
export const chooseFolder = async (): Promise<{ name: string; path: string } | null> =>
  (await window.desktop?.chooseFolder()) ?? null

/** In the app window: asks for a backup and starts to restore it. False if it did not start. */
export const restoreBackup = async (): Promise<boolean> =>
  (await window.desktop?.restoreBackup()) ?? false

/** In the app window: the progress of a restore; null in browsers. */
export const restoreState = async (): Promise<RestoreState | null> =>
  (await window.desktop?.restoreState()) ?? null

let previousProgress = 'null'

export function showProgress(progress: TaskProgress | null): void {
  const next = JSON.stringify(progress)
  if (next === previousProgress || !window.desktop) return
  previousProgress = next
  window.desktop
    .showProgress(progress)
    .catch((cause: unknown) => console.error('No progress on the icon', cause))
}
