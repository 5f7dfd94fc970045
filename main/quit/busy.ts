import { app, powerSaveBlocker } from 'electron'
import type { RunningServer } from '../../server'

export function showBusy({ transfers }: RunningServer): void {
  let blocker: number | undefined
  let shown = 0
  transfers.onChange(() => {
    const { count } = transfers
    if (count > 0) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
    if (count !== shown) app.setBadgeCount(count)
    shown = count
  })
}
