import { app, BrowserWindow, clipboard, dialog, type Session } from 'electron'
import { mayShowDialogs } from '../failure'
import { focusWindow } from '../window/window'

export function versions(): Record<string, string> {
  const { electron, chrome, node, v8 } = process.versions
  const system = `${process.platform} ${process.getSystemVersion()} ${process.arch}`
  return {
    Slipway: app.getVersion(),
    Electron: electron,
    Chromium: chrome,
    Node: node,
    V8: v8,
    System: system,
  }
}

const asText = () =>
  Object.entries(versions())
    .map(([name, version]) => `${name} ${version}`)
    .join('\n')

interface AboutDeps {
  checkForUpdates: () => Promise<void>
  showLicences: () => Promise<void>
}

export async function showAbout({ checkForUpdates, showLicences }: AboutDeps): Promise<void> {
  if (!mayShowDialogs()) return

  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'About Slipway',
    message: `Slipway ${app.getVersion()}`,
    detail: `${asText()}\n\nFree, open source, self-hosted.`,
    buttons: ['Close', 'Copy versions', 'Licences', 'Check for updates …'],
    cancelId: 0,
  })

  if (response === 1) await clipboard.writeText(asText())
  if (response === 2) await showLicences()
  if (response === 3) await checkForUpdates()
}

let licences: BrowserWindow | undefined

export async function showLicences(origin: string, session: Session): Promise<void> {
  if (licences !== undefined && !licences.isDestroyed()) return focusWindow(licences)

  const window = new BrowserWindow({
    width: 800,
    height: 700,
    title: 'Licences',
    webPreferences: {
      session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
    },
  })

  licences = window
  window.removeMenu()
  let isClosing = false
  window.once('close', () => (isClosing = true))
  await window.loadURL(`${origin}/licences.txt`).catch((err: unknown) => {
    // Closing the window while it loads aborts the load.
    if (!isClosing) throw err
  })
}
