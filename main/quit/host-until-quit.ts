import type { BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { restartWhenDiskReturns } from '../start/restart-when-back'
import { showBusy } from './busy'
import { closeOnUncaughtErrors } from './crash'
import { keepHosting } from './keep-hosting'
import { quitInOrder } from './quit'

export function hostUntilQuit(server: RunningServer, window: BrowserWindow): void {
  quitInOrder(server)
  closeOnUncaughtErrors(server)
  keepHosting(window, server)
  showBusy(server)
  void restartWhenDiskReturns(server)
}
