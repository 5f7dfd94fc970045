import { join } from 'node:path'
import { BrowserWindow, dialog, screen, type Session, type WebPreferences } from 'electron'
import { realDeps } from '../../server'
import { ORIGIN_ARGUMENT } from '../../server/contract/host/desktop'
import { mayShowDialogs } from '../failure'
import { fit, MIN_SIZE } from './placement'
import { readPlacement, rememberPlace } from './remembered-place'
import { followGround, ground } from './theme'

interface WindowDeps {
  origin: string
  session: Session
  profileDir: string
  path: string
  hidden: boolean
}

export function openWindow({
  origin,
  session,
  profileDir,
  path,
  hidden,
}: WindowDeps): BrowserWindow {
  const file = join(profileDir, 'window.json')
  const last = readPlacement(file)
  const workAreas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(
    (display) => display.workArea,
  )
  const window = new BrowserWindow({
    ...fit(last?.bounds, workAreas),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: 'Slipway',
    backgroundColor: ground(),
    webPreferences: confinePage(origin, session),
  })

  rememberPlace(window, file)
  followGround(window)
  askBeforeLosingWork(window)

  if (!hidden)
    showOnceReady(window, () => {
      if (last?.maximized) window.maximize()
      else window.show()
      // A person who ran `npm start` looks at a terminal until now.
      console.log(`The window is open. Slipway answers at ${origin} on this computer.`)
    })
  void load(window, origin + path)

  return window
}

/** A window that a second start has shown, and a person has closed to the tray, stays there. */
function showOnceReady(window: BrowserWindow, show: () => void): void {
  window.once('ready-to-show', show)
  window.once('close', () => window.off('ready-to-show', show))
}

async function load(window: BrowserWindow, address: string): Promise<void> {
  const closing = new AbortController()
  window.once('close', () => closing.abort())

  try {
    await window.loadURL(address)
  } catch (err) {
    // A quit ends the load, and Electron crashes when it shows a window that closes.
    if (closing.signal.aborted) return
    realDeps.log.error({ err }, 'the window did not load')
    if (!window.isDestroyed()) window.show()
  }
}

/** Gives the page no Node, a sandbox, and only the preload bridge on our own origin. */
function confinePage(origin: string, session: Session): WebPreferences {
  return {
    session,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    additionalArguments: [`${ORIGIN_ARGUMENT}${origin}`],
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    // Chromium would download its dictionaries; macOS has its own.
    spellcheck: process.platform === 'darwin',
  }
}

export function focusWindow(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** A page with uploads objects to being closed; in a window only the app can ask the person. */
function askBeforeLosingWork(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const question = {
      type: 'question' as const,
      message: 'Uploads from this window are still running.',
      detail: 'They stop when you leave.',
      buttons: ['Leave', 'Stay'],
      defaultId: 1,
      cancelId: 1,
    }
    if (!mayShowDialogs() || dialog.showMessageBoxSync(window, question) === 0)
      event.preventDefault()
  })
}
