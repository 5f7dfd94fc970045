import { BrowserWindow, ipcMain, shell } from 'electron'
import { z } from 'zod'
import type { RunningServer } from '../../server'
import { desktopChannels } from '../../server/contract/host/desktop'
import { requireOwnPage } from './own-origin'

const progressSchema = z
  .object({ share: z.number().min(0).max(1), mode: z.enum(['normal', 'paused', 'error']) })
  .nullable()
const NO_PROGRESS = -1

/**
 * The file that the preload script announces when a person drops or chooses one; pages cannot forge
 * this message.
 */
const givenFileSchema = z.object({
  path: z.string().min(1),
  size: z.number(),
  modifiedMs: z.number(),
})

export function answerBridge(origin: string, dataDir: string, server: RunningServer): void {
  ipcMain.handle(desktopChannels.offerFile, (event, payload: unknown) => {
    requireOwnPage(event, origin)
    const { path, ...snapshot } = givenFileSchema.parse(payload)
    return server.offerFile({ path, snapshot })
  })

  ipcMain.handle(desktopChannels.showDataFolder, async (event) => {
    requireOwnPage(event, origin)
    await showFolder(dataDir)
  })

  ipcMain.handle(desktopChannels.showProgress, (event, payload: unknown) => {
    requireOwnPage(event, origin)
    const progress = progressSchema.parse(payload)
    BrowserWindow.fromWebContents(event.sender)?.setProgressBar(progress?.share ?? NO_PROGRESS, {
      mode: progress?.mode ?? 'none',
    })
  })
}

export function reportHostChanged(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.send(desktopChannels.onHostChanged)
}

export function reportProjectChanged(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.send(desktopChannels.onProjectChanged)
}

export async function showFolder(path: string): Promise<void> {
  const failure = await shell.openPath(path)
  if (failure !== '') throw new Error(`The folder ${path} could not be opened: ${failure}`)
}
