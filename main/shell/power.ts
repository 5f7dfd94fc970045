import { powerMonitor } from 'electron'
import { hostLog, type RunningServer } from '../../server'

/**
 * The host page knows whether the computer runs on its battery, and may fall asleep soon. Nothing can be served in its
 * sleep; once it wakes, perhaps in another network, the addresses are looked at without delay.
 */
export function followPower({
  context: {
    host: { activity },
    network: { addresses },
  },
}: RunningServer): void {
  powerMonitor.on('on-battery', () => activity.runsOnBattery(true))
  powerMonitor.on('on-ac', () => activity.runsOnBattery(false))
  activity.runsOnBattery(powerMonitor.isOnBatteryPower())
  powerMonitor.on('suspend', () => hostLog.record('info', {}, 'the computer is going to sleep'))
  powerMonitor.on('resume', () => {
    hostLog.record('info', {}, 'the computer woke up')
    addresses.look().catch((err: unknown) => hostLog.warn({ err }, 'cannot read the addresses of this computer'))
  })
}
