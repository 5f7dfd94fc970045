import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { app, ipcMain, type BrowserWindow } from 'electron'
import { z } from 'zod'
import type { RunningServer } from '../../server'
import { desktopChannels, type OpenedFile } from '../../server/contract/desktop'
import { openPage } from './deep-link'
import { filesInArguments } from './file-arguments'
import { requireOwnPage } from '../window/own-origin'

const MY_FILES = '/my-files'

interface Receiver {
  server: RunningServer
  window: BrowserWindow
  origin: string
}

/** A second start hands over these; it knows its own folder and the order of its words, which Chromium changes. */
const handedOver = z.object({ files: z.array(z.string()) })
export type HandedOver = z.infer<typeof handedOver>

/** The files that this start was asked to open. */
export function filesOfThisStart(): HandedOver {
  const program = process.defaultApp ? app.getAppPath() : undefined
  return { files: filesInArguments({ argv: process.argv, cwd: process.cwd(), program }) }
}

/**
 * Files that the system hands to Slipway: named on a command line, opened with it, dropped on its icon in the dock or
 * near the clock. They wait until somebody who has signed in looks at My Files, and nothing is published before that
 * person says how.
 */
export class OpenedFiles {
  #paths: string[]
  #receiver: Receiver | undefined

  constructor(paths: readonly string[]) {
    this.#paths = [...paths]
    // macOS tells of what was opened even before it says that we are ready.
    app.on('open-file', (event, path) => {
      event.preventDefault()
      this.add([path])
    })
    app.on('second-instance', (_event, _argv, _folder, data) => {
      const said = handedOver.safeParse(data)
      if (said.success) this.add(said.data.files)
    })
  }

  /** The page to begin with, where there is something to be seen on it. */
  get page(): string | undefined {
    return this.#paths.length > 0 ? MY_FILES : undefined
  }

  /** Absolute paths. The window opens where they will be. */
  add(paths: readonly string[]): void {
    if (paths.length === 0) return
    this.#paths.push(...paths)
    if (!this.#receiver || this.#receiver.window.isDestroyed()) return
    const { window, origin } = this.#receiver
    openPage(window, origin, MY_FILES)
    window.webContents.send(desktopChannels.onFilesOpened)
  }

  /** From now on the page of this window may ask for what waits. */
  handTo(receiver: Receiver): void {
    this.#receiver = receiver
    ipcMain.handle(desktopChannels.takeOpenedFiles, (event) => {
      requireOwnPage(event, receiver.origin)
      const paths = this.#paths
      this.#paths = []
      return Promise.all(paths.map((path) => describe(receiver.server, path)))
    })
  }
}

/** What the page is told of a file: not where it lies. */
async function describe({ context }: RunningServer, path: string): Promise<OpenedFile> {
  const found = await stat(path).catch(() => undefined)
  const told = { name: basename(path), size: found?.size ?? 0 }
  if (!found) return { ...told, kind: 'missing', offerId: '' }
  if (found.isDirectory()) return { ...told, kind: 'folder', offerId: '' }
  const seen = { size: found.size, modifiedMs: found.mtimeMs }
  return { ...told, kind: 'file', offerId: context.transfers.offeredFiles.offer({ path, seen }) }
}
