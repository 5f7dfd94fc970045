import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import { hostLog } from '../server'

/** A version of this program that is newer than the one that runs. */
export interface Release {
  version: string
  /** What is new, in words; empty: nobody has said. */
  notes: string
  /** Of its largest package, in bytes. */
  size: number
}

/** What of electron-updater the people's side needs. It is loaded when it is first asked. */
export class Updater {
  #loading: Promise<AppUpdater> | undefined

  constructor(private readonly profileDir: string) {}

  /** Asks a feed. Undefined: nothing newer is there. Throws in words for people. */
  async find(feed: string): Promise<Release | undefined> {
    try {
      const updater = await this.#loaded()
      updater.setFeedURL({ provider: 'generic', url: feed })
      const found = await updater.checkForUpdates()
      return found?.isUpdateAvailable ? releaseOf(found.updateInfo) : undefined
    } catch (cause) {
      throw inWords(cause, feed)
    }
  }

  /**
   * Fetches what `find` has found, only the blocks that differ where the feed allows it, and checks its SHA-512. It is
   * installed when this program ends. `onProgress` is told the share, 0 to 1. Throws in words for people.
   */
  async download(feed: string, onProgress: (share: number) => void): Promise<void> {
    const updater = await this.#loaded()
    const tell = ({ percent }: { percent: number }) => onProgress(percent / 100)
    updater.on('download-progress', tell)
    try {
      await updater.downloadUpdate()
    } catch (cause) {
      throw inWords(cause, feed)
    } finally {
      updater.off('download-progress', tell)
    }
  }

  #loaded(): Promise<AppUpdater> {
    this.#loading ??= load(this.profileDir)
    return this.#loading
  }
}

/** Whether this copy can put another in its place: archives and sources are the person's own to replace. */
export function canInstall(): boolean {
  if (process.platform !== 'linux') return app.isPackaged
  return process.env['APPIMAGE'] !== undefined || existsSync(join(process.resourcesPath, 'package-type'))
}

async function load(profileDir: string): Promise<AppUpdater> {
  const { autoUpdater } = await import('electron-updater')
  autoUpdater.logger = Object.fromEntries(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => [
      level,
      (message: unknown) => hostLog.record(level, {}, `updates: ${String(message)}`),
    ]),
  ) as unknown as typeof autoUpdater.logger
  autoUpdater.autoDownload = false
  // What runs from its sources looks as well; `canInstall` decides what comes of it.
  autoUpdater.forceDevUpdateConfig = true
  // A feed need not tell one copy from another: otherwise each would send an id of its own.
  autoUpdater.requestHeaders = { 'x-user-staging-id': 'none' }
  // The package says by whom it must be signed and where downloads wait; what was not packaged for updates cannot.
  if (!existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    const path = join(profileDir, 'app-update.json')
    await writeFile(path, JSON.stringify({ updaterCacheDirName: 'slipway-updater' }))
    autoUpdater.updateConfigPath = path
  }
  return autoUpdater
}

function releaseOf({ version, releaseNotes, files }: UpdateInfo): Release {
  const all = Array.isArray(releaseNotes) ? releaseNotes.map(({ note }) => note ?? '').join('\n') : releaseNotes
  return { version, notes: (all ?? '').trim(), size: Math.max(0, ...files.map(({ size }) => size ?? 0)) }
}

/** electron-updater's errors carry codes, and whole replies and stacks in their messages. */
function inWords(cause: unknown, feed: string): Error {
  const { code, message } = cause as Error & { code?: string }
  const reasons: Record<string, string> = {
    ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: `${feed} offers nothing for this system.`,
    ERR_CHECKSUM_MISMATCH: 'What arrived is not what the feed promises: its SHA-512 differs. It was thrown away.',
  }
  return new Error(reasons[code ?? ''] ?? message.split('\n')[0] ?? 'The reason is not known.', { cause })
}
