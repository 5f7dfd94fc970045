import { dialog, ipcMain, type BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { desktopChannels } from '../../server/contract/host/desktop'
import { requireOwnPage } from '../window/own-origin'

export function answerFolderChoice(
  origin: string,
  window: BrowserWindow,
  server: RunningServer,
): void {
  let asking: Promise<{ name: string; path: string } | null> | undefined
  ipcMain.handle(desktopChannels.chooseFolder, (event) => {
    requireOwnPage(event, origin)
    asking ??= ask(window, server).finally(() => (asking = undefined))
    return asking
  })
}

async function ask(window: BrowserWindow, server: RunningServer) {
  const { filePaths } = await dialog.showOpenDialog(window, {
    title: 'Choose a folder',
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory'],
  })
  const [path] = filePaths
  return path === undefined ? null : { name: server.offerFolder(path), path }
}
