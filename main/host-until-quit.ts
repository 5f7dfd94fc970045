import type { BrowserWindow } from 'electron'
import type { RunningServer } from '../server'
import { restartWhenDiskReturns } from './quit/restart-when-back'
import { showBusy } from './quit/busy'
import { closeOnUncaughtErrors } from './quit/crash'
import { keepHosting } from './shell/keep-hosting'

export function hostUntilQuit(server: RunningServer, window: BrowserWindow): void {
  // Windows then ends this process without asking it to quit.
  window.on('session-end', () => server.markShutDown())
  closeOnUncaughtErrors(server)
  keepHosting(window, server)
  showBusy(server)
  void restartWhenDiskReturns(server)
}
