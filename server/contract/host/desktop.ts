import type { DataFolder } from './data-folder'

/** Progress for the taskbar or dock. `share`: 0 to 1. */
export interface TaskProgress {
  share: number
  mode: 'normal' | 'paused' | 'error'
}

/** A file that the system opened with the app. Its path stays hidden from the page. */
export interface OpenedFile {
  name: string
  size: number
  kind: 'file' | 'folder' | 'missing'
  /** Id to publish the file once; empty unless `kind` is `file`. */
  offerId: string
}

/** A change of the data folder that runs, and why the last one failed. */
export type RestoreState = Pick<DataFolder, 'move' | 'failure'>

/** API of the app window; `window.desktop` is undefined in browsers. */
export interface Desktop {
  /**
   * Returns an id to publish a dropped or chosen file once; null if it has no path on this machine.
   */
  offerFile(file: File): Promise<string | null>
  /** Returns the files opened with the app since the last call. */
  takeOpenedFiles(): Promise<OpenedFile[]>
  /** Calls back when there are opened files. Returns a function that unsubscribes. */
  onFilesOpened(listener: () => void): () => void
  showDataFolder(): Promise<void>
  /**
   * Calls back when the host's address or sharing changes. Returns a function that unsubscribes.
   */
  onHostChanged(listener: () => void): () => void
  /** Calls back when a collaborator changes a project. Returns a function that unsubscribes. */
  onProjectChanged(listener: () => void): () => void
  /** Shows progress on the window's icon; null removes it. */
  showProgress(progress: TaskProgress | null): Promise<void>
  /** Describes what this start recovered after a crash; null after a clean exit. */
  startReport(): Promise<string | null>
  /**
   * Asks for a folder; null if canceled. `name` is the token for API calls, `path` is for display.
   */
  chooseFolder(): Promise<{ name: string; path: string } | null>
  /**
   * Asks for a backup, says what it has, and starts to restore it, to continue with its data. False
   * if canceled or refused; the app has said why.
   */
  restoreBackup(): Promise<boolean>
  /** The progress of a restore, for a page without a signed-in person. */
  restoreState(): Promise<RestoreState>
  /**
   * Calls back with the path that the menu or a link opens. Returns a function that unsubscribes.
   */
  onOpenPage(listener: (path: string) => void): () => void
}

export const desktopChannels = {
  offerFile: 'desktop:offer-file',
  takeOpenedFiles: 'desktop:take-opened-files',
  onFilesOpened: 'desktop:files-opened',
  showDataFolder: 'desktop:show-data-folder',
  onHostChanged: 'desktop:host-changed',
  onProjectChanged: 'desktop:project-changed',
  showProgress: 'desktop:show-progress',
  startReport: 'desktop:start-report',
  chooseFolder: 'desktop:choose-folder',
  restoreBackup: 'desktop:restore-backup',
  restoreState: 'desktop:restore-state',
  onOpenPage: 'desktop:open-page',
} as const satisfies Record<keyof Desktop, string>

/** Passes our origin from the main process to the preload script. */
export const ORIGIN_ARGUMENT = '--slipway-origin='

/** Authenticates the window to the server; hidden from pages. */
export const WINDOW_HEADER = 'x-slipway-window'
