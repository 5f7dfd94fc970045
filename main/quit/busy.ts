import { app, powerSaveBlocker } from 'electron'
import type { RunningServer } from '../../server'

export function showBusy({ transfers }: RunningServer): void {
  let blocker: number | undefined
  let badgeCount = 0

  transfers.onChange(() => {
    const { count } = transfers
    if (count > 0) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
    if (count !== badgeCount) app.setBadgeCount(count)
    badgeCount = count
  })
}
