import { DAY_MS } from '../../server/contract/limits'
import { app, dialog, shell, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { hostLog, type RunningServer } from '../../server'
import { mayShowDialogs } from '../failure'
import { notify } from '../notices/notify'
import { canInstall, Updater, type Release } from './updater'

/** Longer notes would not fit on a screen, in characters. */
const NOTES_MAX = 1500
const OPEN_PAGE = 'Open the download page'

interface UpdatesDeps {
  server: RunningServer
  window: BrowserWindow
  profileDir: string
  openSettings: () => void
}

/** Finds, announces, downloads and installs updates: downloads with consent, installs on exit. */
export class Updates {
  readonly #updater: Updater
  #fetched: { version: string; isReady: boolean } | undefined

  constructor(private readonly deps: UpdatesDeps) {
    this.#updater = new Updater(deps.profileDir)
  }

  follow(): void {
    const look = () => void this.#look().catch(reportFailure)
    look()
    setInterval(look, DAY_MS).unref()
  }

  async ask(): Promise<void> {
    if (!mayShowDialogs()) return

    const feed = this.#feed()
    if (feed === null) return this.#explainMissingFeed()
    if (this.#fetched) return this.#showFetched(this.#fetched)

    try {
      const release = await this.#updater.find(feed)
      if (release === undefined)
        await showMessage({ message: `Slipway ${app.getVersion()} is the newest version.` })
      else if (canInstall()) await this.#offer(feed, release)
      else await offerPage(feed, release)
    } catch (cause) {
      await showMessage({
        type: 'error',
        message: 'Slipway could not check for updates.',
        detail: (cause as Error).message,
      })
    }
  }

  async #look(): Promise<void> {
    const feed = this.#feed()
    if (feed === null || this.#fetched) return

    try {
      const release = await this.#updater.find(feed)
      if (release === undefined) return
      hostLog.record('info', { version: release.version }, 'a newer version is available')
      notify(
        `Slipway ${release.version} is available`,
        'Click here to see what is new.',
        () => void this.ask().catch(reportFailure),
      )
    } catch (err) {
      hostLog.record('warn', { err, feed }, 'cannot check for updates')
    }
  }

  async #offer(feed: string, release: Release): Promise<void> {
    const size =
      release.size === 0 ? '' : ` The download is at most ${Math.ceil(release.size / 1e6)} MB.`
    const agreed = await showMessage({
      message: `Slipway ${release.version} is available.`,
      detail: `You have ${app.getVersion()}.${size}${notesOf(release)}`,
      buttons: ['Download', 'Later'],
    })
    if (agreed === 0) await this.#fetch(feed, release)
  }

  async #fetch(feed: string, { version }: Release): Promise<void> {
    this.#fetched = { version, isReady: false }

    try {
      await this.#updater.download(feed, (share) => this.#showProgress(share))
      this.#fetched = { version, isReady: true }
    } catch (cause) {
      this.#fetched = undefined
      const detail =
        `${(cause as Error).message}\n\nNothing has changed; you still have ` +
        `${app.getVersion()}.`
      const message = `Slipway ${version} could not be downloaded.`
      // macOS replaces no app that runs from where it was downloaded.
      const isMac = process.platform === 'darwin' && !app.isInApplicationsFolder()
      const buttons = isMac ? [OPEN_PAGE, 'Close'] : ['Close']
      const chosen = await showMessage({ type: 'error', message, detail, buttons })
      if (isMac && chosen === 0) await shell.openExternal(pageOf(feed))
      return
    } finally {
      this.#showProgress(-1)
    }

    await this.#showFetched(this.#fetched)
  }

  async #showFetched({ version, isReady }: { version: string; isReady: boolean }): Promise<void> {
    if (!isReady) {
      await showMessage({ message: `Slipway ${version} is being downloaded.` })
      return
    }

    const chosen = await showMessage({
      message: `Slipway ${version} is ready.`,
      detail:
        'Slipway installs it when you quit, after running transfers finish. Then start ' +
        'Slipway again.',
      buttons: ['Quit and install', 'When I quit'],
    })

    if (chosen === 0) app.quit()
  }

  async #explainMissingFeed(): Promise<void> {
    const chosen = await showMessage({
      message: 'Slipway has no update feed.',
      detail: 'Enter the address of a feed in the settings, under “This app”.',
      buttons: ['Open settings', 'Close'],
    })
    if (chosen === 0) this.deps.openSettings()
  }

  /** Progress on the window's icon; -1 removes it. */
  #showProgress(share: number): void {
    if (!this.deps.window.isDestroyed()) this.deps.window.setProgressBar(share)
  }

  readonly #feed = () => this.deps.server.settings.get().update_feed
}

const reportFailure = (err: unknown): void => hostLog.warn({ err }, 'cannot offer an update')

async function offerPage(feed: string, release: Release): Promise<void> {
  const chosen = await showMessage({
    message: `Slipway ${release.version} is available.`,
    detail:
      `You have ${app.getVersion()}, which cannot update itself. Download and install the new ` +
      `version.${notesOf(release)}`,
    buttons: [OPEN_PAGE, 'Later'],
  })
  if (chosen === 0) await shell.openExternal(pageOf(feed))
}

/** The project page where another Slipway is the feed; else the feed itself. */
const pageOf = (feed: string) => feed.replace(/\/api\/projects\/([^/]+)\/latest\/?$/, '/p/$1')

const notesOf = ({ notes }: Release) => (notes === '' ? '' : `\n\n${notes.slice(0, NOTES_MAX)}`)

async function showMessage(what: MessageBoxOptions): Promise<number> {
  const { buttons = ['Close'] } = what
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'Updates',
    defaultId: 0,
    cancelId: buttons.length - 1,
    ...what,
    buttons,
  })
  return response
}
