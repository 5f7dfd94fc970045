import { app, powerSaveBlocker } from 'electron'
import type { RunningServer } from '../../server'

export function showBusy({
  context: {
    transfers: { running },
  },
}: RunningServer): void {
  let blocker: number | undefined
  let shown = 0
  running.onChange(() => {
    const { count } = running
    if (count > 0) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
    if (count !== shown) app.setBadgeCount(count)
    shown = count
  })
}
