/** What only the app window can do. Other browsers do not have it: `window.desktop` is undefined there. */
export interface Desktop {
  /** Opens the folder that holds the library and the blobs in the system's file manager. */
  showDataFolder(): Promise<void>
  /** Calls back when the host's address or its sharing has changed; answers how to end that. */
  onHostChanged(listener: () => void): () => void
}

export const desktopChannels = {
  showDataFolder: 'desktop:show-data-folder',
  onHostChanged: 'desktop:host-changed',
} as const satisfies Record<keyof Desktop, string>

/** The main process tells the preload script in this argument which origin is ours. */
export const ORIGIN_ARGUMENT = '--slipway-origin='

/** In this header the window proves to the server that it is the window. Pages never see it. */
export const WINDOW_HEADER = 'x-slipway-window'
