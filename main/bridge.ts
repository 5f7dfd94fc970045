import { ipcMain, shell, type BrowserWindow } from 'electron'
import { desktopChannels } from '../server/contract/desktop'
import { requireOwnPage } from './own-origin'

/** Answers the calls of `window.desktop`. */
export function answerBridge(origin: string, dataDir: string): void {
  ipcMain.handle(desktopChannels.showDataFolder, async (event) => {
    requireOwnPage(event, origin)
    await showFolder(dataDir)
  })
}

/** Tells the page that the host's address has changed, so that its links follow. */
export function reportHostChanged(window: BrowserWindow): void {
  window.webContents.send(desktopChannels.onHostChanged)
}

/** Opens a folder in the system's file manager. */
export async function showFolder(path: string): Promise<void> {
  const failure = await shell.openPath(path)
  if (failure !== '') throw new Error(`The folder ${path} could not be opened: ${failure}`)
}
