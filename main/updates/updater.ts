import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import { hostLog } from '../../server'

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

  /**
   * Asks a feed, which must be signed with the key that is built into this copy (docs/decisions/0032-sign-updates.md).
   * Undefined: nothing newer is there. Throws in words for people.
   */
  async find(feed: string): Promise<Release | undefined> {
    try {
      const publicKey = await builtInKey()
      const [updater, { SignedFeed }] = [await this.#loaded(), await import('./signed-feed')]
      updater.setFeedURL({ provider: 'custom', updateProvider: SignedFeed, url: feed, publicKey })
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
    // electron-updater would install a .deb or .rpm as root, whatever its package manager thinks of it.
    if (!canInstall()) throw new Error('This copy of Slipway cannot replace itself.')
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

/**
 * Whether this copy can put another in its place. Archives and sources are the person's own to replace, and so are system
 * packages, also where they were started from an AppImage and have its environment.
 */
export function canInstall(): boolean {
  if (process.platform !== 'linux') return app.isPackaged
  return process.env['APPIMAGE'] !== undefined && !existsSync(join(process.resourcesPath, 'package-type'))
}

/** The key that `npm run package` puts into package.json. Throws in words for people where there is none. */
async function builtInKey(): Promise<KeyObject> {
  const path = join(import.meta.dirname, '../../package.json')
  const { updateKey } = JSON.parse(await readFile(path, 'utf8')) as { updateKey?: string }
  if (updateKey === undefined) {
    throw new Error(
      'This copy of Slipway was built without an update key, so it cannot tell whether an update is genuine. Download ' +
        'new versions from where you got this one.',
    )
  }
  return createPublicKey({ key: Buffer.from(updateKey, 'base64'), format: 'der', type: 'spki' })
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
    ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: `${feed} offers no files for this system.`,
    ERR_CHECKSUM_MISMATCH: 'The download does not match the SHA-512 in the feed, so Slipway deleted it.',
  }
  return new Error(reasons[code ?? ''] ?? message.split('\n')[0] ?? 'The reason is unknown.', { cause })
}
