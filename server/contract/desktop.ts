/** What only the app window can do. Other browsers do not have it: `window.desktop` is undefined there. */
export interface Desktop {
  /** Opens the folder that holds the library and the blobs in the system's file manager. */
  showDataFolder(): Promise<void>
}

export const desktopChannels = {
  showDataFolder: 'desktop:show-data-folder',
} as const satisfies Record<keyof Desktop, string>
