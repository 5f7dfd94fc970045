import { app, powerSaveBlocker } from 'electron'
import type { RunningServer } from '../../server'

/** While bytes move, the machine does not fall asleep by itself, and the app's icon tells how many transfers run. */
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
