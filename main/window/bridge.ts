import { BrowserWindow, ipcMain, shell } from 'electron'
import { z } from 'zod'
import type { RunningServer } from '../../server'
import { desktopChannels } from '../../server/contract/desktop'
import { requireOwnPage } from './own-origin'

const progressSchema = z
  .object({ share: z.number().min(0).max(1), mode: z.enum(['normal', 'paused', 'error']) })
  .nullable()
/** Below 0 takes the bar away. */
const NO_PROGRESS = -1

/** What the preload script has read off a file that a person dropped or chose; pages cannot make such a message. */
const givenFileSchema = z.object({ path: z.string().min(1), size: z.number(), modifiedMs: z.number() })

/** Answers the calls of `window.desktop`. */
export function answerBridge(origin: string, dataDir: string, { context }: RunningServer): void {
  ipcMain.handle(desktopChannels.offerFile, (event, given: unknown) => {
    requireOwnPage(event, origin)
    const { path, ...seen } = givenFileSchema.parse(given)
    return context.transfers.offeredFiles.offer({ path, seen })
  })
  ipcMain.handle(desktopChannels.showDataFolder, async (event) => {
    requireOwnPage(event, origin)
    await showFolder(dataDir)
  })
  ipcMain.handle(desktopChannels.showProgress, (event, given: unknown) => {
    requireOwnPage(event, origin)
    const progress = progressSchema.parse(given)
    BrowserWindow.fromWebContents(event.sender)?.setProgressBar(progress?.share ?? NO_PROGRESS, {
      mode: progress?.mode ?? 'none',
    })
  })
}

/** Tells the page that the host's address has changed, so that its links follow. */
export function reportHostChanged(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.send(desktopChannels.onHostChanged)
}

/** Tells the page that somebody has changed a project, so that it shows what is new. */
export function reportProjectChanged(window: BrowserWindow): void {
  if (!window.isDestroyed()) window.webContents.send(desktopChannels.onProjectChanged)
}

/** Opens a folder in the system's file manager. */
export async function showFolder(path: string): Promise<void> {
  const failure = await shell.openPath(path)
  if (failure !== '') throw new Error(`The folder ${path} could not be opened: ${failure}`)
}
