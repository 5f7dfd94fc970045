import { app, shell, type BrowserWindow } from 'electron'
import { hostLog, moveFailureText, type FolderSwitch, type RunningServer } from '../../server'
import { closeInTime } from '../quit/quit'

/** The duration is unknown. */
const UNKNOWN = 2

export function moveDataFolder(server: RunningServer, window: BrowserWindow): void {
  server.moveDataWith({
    switchOver: (move) => void switchOver(server, window, move),
    trash: (path) => shell.trashItem(path),
  })
}

async function switchOver(server: RunningServer, window: BrowserWindow, move: FolderSwitch) {
  hostLog.record('info', {}, 'closing the host to switch to another data folder')
  if (!window.isDestroyed()) showMovingPage(window, server.transfers.totals().uploads > 0)

  try {
    if ((await closeInTime(server)) !== 0) throw new Error('The host did not shut down cleanly')
    await move.complete()
  } catch (err) {
    hostLog.error({ err }, 'cannot move the data folder')
    await move.abandon(moveFailureText(err, move)).catch((cause: unknown) => {
      hostLog.error({ err: cause }, 'an incomplete copy of the data folder remains')
    })
  }

  app.relaunch()
  app.exit(0)
}

/**
 * Keeps a page with uploads open, because it would ask before leaving; it loses its host for a
 * moment.
 */
function showMovingPage(window: BrowserWindow, isUploading: boolean): void {
  window.setProgressBar(UNKNOWN, { mode: 'indeterminate' })
  if (!isUploading)
    window
      .loadURL(PAGE)
      .catch((err: unknown) => hostLog.error({ err }, 'the page about the move did not load'))
}

/** A data: URL, because no server runs during the move. */
const PAGE = `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><html lang="en">
<meta charset="utf-8"><title>Slipway</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:15vh auto;padding:0 1.5rem}</style>
<h1>Changing the data folder</h1>
<p>Slipway is checking the latest changes.
It restarts automatically when it is done.</p>
<p>Your host is offline until then. Keep this computer on.
If it turns off anyway, no data is lost.</p></html>`)}`
