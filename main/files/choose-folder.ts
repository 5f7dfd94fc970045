import { dialog, ipcMain, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { desktopChannels } from '../../server/contract/desktop'
import { requireOwnPage } from '../window/own-origin'

/** Lets the page ask for a folder: the person chooses it in the system's dialog, and the page gets a name for it. */
export function answerFolderChoice(origin: string, window: BrowserWindow, { context }: RunningServer): void {
  let asking: Promise<{ name: string; path: string } | null> | undefined
  ipcMain.handle(desktopChannels.chooseFolder, (event) => {
    requireOwnPage(event, origin)
    // Shows one dialog at a time, however often the page asks.
    asking ??= ask(window, context.watching.chosenFolders).finally(() => (asking = undefined))
    return asking
  })
}

async function ask(window: BrowserWindow, chosen: { offer(path: string): string }) {
  const { filePaths } = await dialog.showOpenDialog(window, {
    title: 'Choose a folder',
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory'],
  })
  const [path] = filePaths
  return path === undefined ? null : { name: chosen.offer(path), path }
}
