import { app, dialog } from 'electron'
import { hostLog } from '../../server'
import { mayShowDialogs } from '../failure'

/** A page that crashes more often within `WITHIN_MS` is not reloaded automatically. */
const RELOADS = 3
const WITHIN_MS = 60_000

export function recoverPages(origin: string): void {
  app.on('browser-window-created', (_event, window) => {
    reloadAfterCrash(window, origin)
    offerReload(window)
  })
}

function reloadAfterCrash(window: Electron.BrowserWindow, origin: string): void {
  let crashes: number[] = []

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return

    crashes = [...crashes.filter((at) => at > Date.now() - WITHIN_MS), Date.now()]
    hostLog.error({ reason, exitCode, crashes: crashes.length }, 'the page crashed')

    // The contents cannot load anything within this event.
    setImmediate(() => {
      if (window.isDestroyed()) return
      if (crashes.length <= RELOADS) window.webContents.reload()
      else
        void window
          .loadURL(crashPage(origin))
          .catch((err: unknown) => hostLog.error({ err }, 'the crash page did not load'))
    })
  })
}

/**
 * Needs no server and no script, so that it works after any failure; its link leads back to our own
 * page.
 */
function crashPage(origin: string): string {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Slipway</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:15vh auto;padding:0 1.5rem}
a{display:inline-block;padding:.5rem 1rem;border-radius:6px;
background:#0b6d66;color:#fff;text-decoration:none}</style>
<h1>This page keeps crashing</h1>
<p>Your host is still running: visitors can download, and no data is lost.
Only this window is affected.</p>
<p>Try again, or restart Slipway. If this persists,
choose <b>Report a problem</b> in the Help menu.</p>
<p><a href="${origin}/">Try again</a></p></html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}

/** A hung page may recover: the dialog closes then. */
function offerReload(window: Electron.BrowserWindow): void {
  let asking: AbortController | undefined
  window.on('responsive', () => asking?.abort())
  window.on('unresponsive', () => {
    hostLog.warn({}, 'the page is not responding')
    if (!mayShowDialogs() || asking) return
    asking = new AbortController()
    void ask(window, asking.signal).finally(() => (asking = undefined))
  })
}

async function ask(window: Electron.BrowserWindow, signal: AbortSignal): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'This window is not responding',
    detail: 'Your host is still running. Reloading the page stops uploads from this window.',
    buttons: ['Wait', 'Reload'],
    cancelId: 0,
    signal,
  })

  // A hung page ignores a reload; after its process ends it is loaded again.
  if (response === 1 && !signal.aborted && !window.isDestroyed())
    window.webContents.forcefullyCrashRenderer()
}
