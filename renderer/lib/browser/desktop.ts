import type { Desktop, OpenedFile, TaskProgress } from '../../../server/contract/desktop'

declare global {
  interface Window {
    /** Present in the app window only; absent in every other browser. */
    desktop?: Desktop
  }
}

/** Calls back whenever the host is shared on its network, or no longer; in other browsers never. Undo with the reply. */
export const onHostChanged = (listener: () => void): (() => void) | undefined => window.desktop?.onHostChanged(listener)

/** In the app window: calls back whenever somebody has changed a project; elsewhere never. Undo with the reply. */
export const onProjectChanged = (listener: () => void): (() => void) | undefined =>
  window.desktop?.onProjectChanged(listener)

/** In the app window, after a crash: what the host has recovered, in words; else null. */
export const startReport = async (): Promise<string | null> => (await window.desktop?.startReport()) ?? null

/** In the app window: opens the folder of the data in the system's file manager. */
export const showDataFolder = async (): Promise<void> => window.desktop?.showDataFolder()

/** In the app window: calls back with the path of the page that the menu or a link asks for. Undo with the reply. */
export const onOpenPage = (listener: (path: string) => void): (() => void) | undefined =>
  window.desktop?.onOpenPage(listener)

/** In the app window: by what the host publishes this file of its own machine, once; elsewhere null. */
export const offerFile = async (file: File): Promise<string | null> => (await window.desktop?.offerFile(file)) ?? null

/** In the app window: the files that the system has handed to it since the last time; elsewhere none. */
export const takeOpenedFiles = async (): Promise<OpenedFile[]> => (await window.desktop?.takeOpenedFiles()) ?? []

/** In the app window: calls back when there are such files. Undo with the reply. */
export const onFilesOpened = (listener: () => void): (() => void) | undefined => window.desktop?.onFilesOpened(listener)

/** Whether this page is in the app window. */
export const isAppWindow = (): boolean => window.desktop !== undefined

/** In the app window: lets the person choose a folder; null: they chose none. `name` stands for it in calls. */
export const chooseFolder = async (): Promise<{ name: string; path: string } | null> =>
  (await window.desktop?.chooseFolder()) ?? null

let shown = 'null'

/** In the app window: shows progress on its icon in the taskbar or dock, when it has changed; elsewhere nothing. */
export function showProgress(progress: TaskProgress | null): void {
  const next = JSON.stringify(progress)
  if (next === shown || !window.desktop) return
  shown = next
  window.desktop.showProgress(progress).catch((cause: unknown) => console.error('No progress on the icon', cause))
}
