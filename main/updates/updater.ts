import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import { hostLog } from '../../server'

export interface Release {
  version: string
  notes: string
  size: number
}

export class Updater {
  #loading: Promise<AppUpdater> | undefined

  constructor(private readonly profileDir: string) {}

  /**
   * Checks a feed, which must be signed with this copy's built-in key
   * (docs/decisions/0032-sign-updates.md). Returns undefined if nothing is newer. Throws a
   * user-facing error.
   */
  async find(feed: string): Promise<Release | undefined> {
    try {
      const publicKey = await builtInKey()
      const updater = await this.#loaded()
      const { SignedFeed } = await import('./signed-feed')
      updater.setFeedURL({ provider: 'custom', updateProvider: SignedFeed, url: feed, publicKey })
      const result = await updater.checkForUpdates()
      return result?.isUpdateAvailable ? releaseOf(result.updateInfo) : undefined
    } catch (cause) {
      throw describeFailure(cause, feed)
    }
  }

  async download(feed: string, onProgress: (share: number) => void): Promise<void> {
    // electron-updater would install a .deb or .rpm as root, past the package manager.
    if (!canInstall()) throw new Error('This copy of Slipway cannot replace itself.')
    const updater = await this.#loaded()

    const report = ({ percent }: { percent: number }) => onProgress(percent / 100)
    updater.on('download-progress', report)

    try {
      await updater.downloadUpdate()
    } catch (cause) {
      throw describeFailure(cause, feed)
    } finally {
      updater.off('download-progress', report)
    }
  }

  #loaded(): Promise<AppUpdater> {
    this.#loading ??= load(this.profileDir)
    return this.#loading
  }
}

/**
 * Whether this copy can replace itself. Archives, sources and system packages cannot, even if
 * started from an AppImage, whose environment they inherit.
 */
export function canInstall(): boolean {
  // Written by the installer only: updating an unpacked zip would install a second copy.
  if (process.platform === 'win32')
    return existsSync(join(dirname(process.execPath), `Uninstall ${app.getName()}.exe`))
  if (process.platform !== 'linux') return app.isPackaged
  return (
    process.env['APPIMAGE'] !== undefined &&
    !existsSync(join(process.resourcesPath, 'package-type'))
  )
}

async function builtInKey(): Promise<KeyObject> {
  const path = join(import.meta.dirname, '../../package.json')
  const { updateKey } = JSON.parse(await readFile(path, 'utf8')) as { updateKey?: string }
  if (updateKey === undefined) {
    throw new Error(
      'This copy of Slipway was built without an update key, so it cannot tell whether an update ' +
        'is genuine. Download new versions from where you got this one.',
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
  // A run from sources checks as well; `canInstall` decides what follows.
  autoUpdater.forceDevUpdateConfig = true
  // Otherwise each copy would send a different ID.
  autoUpdater.requestHeaders = { 'x-user-staging-id': 'none' }

  // Names the required signer and the download folder; only packages made for updates have it.
  if (!existsSync(join(process.resourcesPath, 'app-update.yml')))
    autoUpdater.updateConfigPath = await writeConfig(profileDir)

  return autoUpdater
}

/** Writes the configuration of a copy that was not made for updates. Returns its path. */
async function writeConfig(profileDir: string): Promise<string> {
  const path = join(profileDir, 'app-update.json')
  await writeFile(path, JSON.stringify({ updaterCacheDirName: 'slipway-updater' }))
  return path
}

function releaseOf({ version, releaseNotes, files }: UpdateInfo): Release {
  const all = Array.isArray(releaseNotes)
    ? releaseNotes.map(({ note }) => note ?? '').join('\n')
    : releaseNotes

  return {
    version,
    notes: (all ?? '').trim(),
    size: Math.max(0, ...files.map(({ size }) => size ?? 0)),
  }
}

/**
 * electron-updater's messages contain whole replies and stacks: maps its error codes to sentences.
 */
function describeFailure(cause: unknown, feed: string): Error {
  const { code, message } = cause as Error & { code?: string }
  const reasons: Record<string, string> = {
    ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: `${feed} offers no files for this system.`,
    ERR_CHECKSUM_MISMATCH:
      'The download does not match the SHA-512 in the feed, so Slipway deleted it.',
  }

  return new Error(reasons[code ?? ''] ?? message.split('\n')[0] ?? 'The reason is unknown.', {
    cause,
  })
}
