import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { app, dialog, ipcMain } from 'electron'
import { z } from 'zod'
import type { RunningServer } from '../../server'
import { desktopChannels, type OpenedFile } from '../../server/contract/host/desktop'
import { filesInArguments } from './file-arguments'
import { requireOwnPage, type OpenWindow } from '../window/own-origin'
import { focusWindow } from '../window/window'
import { routes } from '../../server/contract/routes'

/**
 * Sent by a second start, which knows its own folder and argument order; Chromium changes the
 * order.
 */
const handedOver = z.object({ files: z.array(z.string()) })
export type HandedOver = z.infer<typeof handedOver>

export function filesOfThisStart(): HandedOver {
  const program = process.defaultApp ? app.getAppPath() : undefined
  return { files: filesInArguments({ argv: process.argv, cwd: process.cwd(), program }) }
}

/**
 * Queues files that the system opens with Slipway: command line, file manager, dock icon or tray.
 * The queue waits until a person is signed in; nothing is published before that person confirms.
 */
export class OpenedFiles {
  #paths: string[]
  #receiver: OpenWindow | undefined

  constructor(paths: readonly string[]) {
    this.#paths = [...paths]
    // macOS sends this event before `ready`.
    app.on('open-file', (event, path) => {
      event.preventDefault()
      this.add([path])
    })
    app.on('second-instance', (_event, _argv, _folder, data) => {
      const result = handedOver.safeParse(data)
      if (result.success) this.add(result.data.files)
    })
  }

  get page(): string | undefined {
    return this.#paths.length > 0 ? routes.dashboard : undefined
  }

  add(paths: readonly string[]): void {
    if (paths.length === 0) return
    this.#paths.push(...paths)
    if (!this.#receiver || this.#receiver.window.isDestroyed()) return
    const { window } = this.#receiver
    focusWindow(window)
    window.webContents.send(desktopChannels.onFilesOpened)
  }

  /** The menu's own way to files; the sheet of the page follows. */
  async ask(): Promise<void> {
    if (!this.#receiver || this.#receiver.window.isDestroyed()) return
    const properties = ['openFile' as const, 'multiSelections' as const]
    const { filePaths } = await dialog.showOpenDialog(this.#receiver.window, {
      title: 'Publish files',
      properties,
    })
    this.add(filePaths)
  }

  handTo(receiver: OpenWindow): void {
    this.#receiver = receiver
    ipcMain.handle(desktopChannels.takeOpenedFiles, (event) => {
      requireOwnPage(event, receiver.origin)
      const paths = this.#paths
      this.#paths = []
      return Promise.all(paths.map((path) => describe(receiver.server, path)))
    })
  }
}

/** A file as the page sees it: without its path. */
async function describe(server: RunningServer, path: string): Promise<OpenedFile> {
  const stats = await stat(path).catch(() => undefined)
  const summary = { name: basename(path), size: stats?.size ?? 0 }
  if (!stats) return { ...summary, kind: 'missing', offerId: '' }
  if (stats.isDirectory()) return { ...summary, kind: 'folder', offerId: '' }
  const snapshot = { size: stats.size, modifiedMs: stats.mtimeMs }
  return { ...summary, kind: 'file', offerId: server.offerFile({ path, snapshot: snapshot }) }
}
