import { app, powerSaveBlocker } from 'electron'
import type { RunningServer } from '../../server'

/** While bytes move, the machine does not fall asleep by itself, and the app's icon tells how many transfers run. */
export function showBusy({
  context: {
    transfers: { traffic },
  },
}: RunningServer): void {
  let blocker: number | undefined
  let shown = 0
  traffic.onChange(() => {
    const { count } = traffic
    if (count > 0) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
    if (count !== shown) app.setBadgeCount(count)
    shown = count
  })
}
