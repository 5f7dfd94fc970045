/** How far something is that takes a while, for the taskbar or the dock. `share`: 0 to 1. */
export interface TaskProgress {
  share: number
  mode: 'normal' | 'paused' | 'error'
}

/** A file that the system handed to the app. The page is not told where it lies. */
export interface OpenedFile {
  name: string
  /** Bytes. */
  size: number
  kind: 'file' | 'folder' | 'missing'
  /** By this the host publishes it, once; empty for what is no file. */
  offerId: string
}

/** What only the app window can do. Other browsers do not have it: `window.desktop` is undefined there. */
export interface Desktop {
  /** By what the host publishes a file that a person dropped or chose, once; null: it lies nowhere on this machine. */
  offerFile(file: File): Promise<string | null>
  /** The files that the system has handed to the app since the last time. */
  takeOpenedFiles(): Promise<OpenedFile[]>
  /** Calls back when there are such files; answers how to end that. */
  onFilesOpened(listener: () => void): () => void
  /** Opens the folder that holds the library and the blobs in the system's file manager. */
  showDataFolder(): Promise<void>
  /** Calls back when the host's address or its sharing has changed; answers how to end that. */
  onHostChanged(listener: () => void): () => void
  /** Calls back when somebody has changed a project; answers how to end that. */
  onProjectChanged(listener: () => void): () => void
  /** Shows progress on the window's icon; null: nothing is under way. */
  showProgress(progress: TaskProgress | null): Promise<void>
  /** What this start has recovered after a crash, in words; null: the last one ended in order. */
  startReport(): Promise<string | null>
  /**
   * Asks for a folder in the system's dialog; null: the person chose none. `name` stands for the folder in calls to the
   * host, `path` is for people.
   */
  chooseFolder(): Promise<{ name: string; path: string } | null>
  /** Calls back with the path of the page that the menu or a link asks for; answers how to end that. */
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
  onOpenPage: 'desktop:open-page',
} as const satisfies Record<keyof Desktop, string>

/** The main process tells the preload script in this argument which origin is ours. */
export const ORIGIN_ARGUMENT = '--slipway-origin='

/** In this header the window proves to the server that it is the window. Pages never see it. */
export const WINDOW_HEADER = 'x-slipway-window'
