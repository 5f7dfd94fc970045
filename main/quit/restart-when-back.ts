import { app } from 'electron'
import { hostLog, type RunningServer } from '../../server'
import { closeInTime } from './quit'

/** Restarts the app after its data disk was unplugged and returned: open handles are stale. */
export async function restartWhenDiskReturns(server: RunningServer): Promise<void> {
  const isTakenOver = (await server.dataIsBack()) === 'taken_over'
  const why = isTakenOver
    ? 'another Slipway owns the data folder'
    : 'the disk with the data is back'
  hostLog.warn({}, `${why}: restarting Slipway`)
  await closeInTime(server)
  app.relaunch()
  app.exit(0)
}
