import { powerMonitor } from 'electron'
import { hostLog, type RunningServer } from '../../server'

/**
 * Reports battery power to the host page, and checks the addresses and the router right after a wake-up, when the
 * network may differ.
 */
export function followPower({
  context: {
    host: { activity },
    network: { addresses, internet },
  },
}: RunningServer): void {
  powerMonitor.on('on-battery', () => activity.runsOnBattery(true))
  powerMonitor.on('on-ac', () => activity.runsOnBattery(false))
  activity.runsOnBattery(powerMonitor.isOnBatteryPower())
  powerMonitor.on('suspend', () => hostLog.record('info', {}, 'the computer is going to sleep'))
  powerMonitor.on('resume', () => {
    hostLog.record('info', {}, 'the computer woke up')
    addresses.look().catch((err: unknown) => hostLog.warn({ err }, 'cannot read the addresses of this computer'))
    internet.look().catch((err: unknown) => hostLog.warn({ err }, 'cannot check the connection from the internet'))
  })
}
