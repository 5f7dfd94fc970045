import { app, dialog, type BrowserWindow } from 'electron'
import { hostLog, type RunningServer } from '../../server'
import { mayShowDialogs } from '../failure'
import { notify } from '../notices/notify'
import { focusWindow } from '../window/window'

const NOTICE = {
  title: 'Slipway is still running',
  body: 'Downloads and uploads continue. To quit, use the menu or the icon near the clock.',
}

/** Closing the window hides it, and the host keeps running. Explains this once. */
export function keepHosting(window: BrowserWindow, server: RunningServer): void {
  let isQuitting = false
  let explaining: Promise<void> | undefined

  app.on('before-quit', () => (isQuitting = true))
  window.on('close', (event) => {
    if (isQuitting) return
    event.preventDefault()
    hide(window)
    // The setting is saved later, so a second close in between does not explain again.
    explaining ??= explainOnce(server, () => focusWindow(window)).catch((err: unknown) =>
      hostLog.warn({ err }, 'cannot show the notice about the hidden window'),
    )
  })

  // A person who quits and then stays for the page's uploads has not quit.
  window.webContents.on('will-prevent-unload', (event) =>
    setImmediate(() => (isQuitting = event.defaultPrevented)),
  )
  app.on('activate', () => focusWindow(window))
}

function hide(window: BrowserWindow): void {
  if (process.platform !== 'darwin' || !window.isFullScreen()) return window.hide()
  // A hidden window would leave its full screen black.
  window.once('leave-full-screen', () => window.hide())
  window.setFullScreen(false)
}

async function explainOnce({ settings }: RunningServer, open: () => void): Promise<void> {
  if (settings.get().told_of_tray) return
  if (!notify(NOTICE.title, NOTICE.body, open) && mayShowDialogs())
    dialog
      .showMessageBox({ type: 'info', message: NOTICE.title, detail: NOTICE.body })
      .catch(() => undefined)
  await settings.update({ told_of_tray: true }).catch(() => undefined)
}
