import { powerMonitor } from 'electron'
import { hostLog, type RunningServer } from '../../server'

/**
 * Reports battery power to the host page, and checks the addresses and the router right after a
 * wake-up, when the network may differ.
 */
export function followPower(server: RunningServer): void {
  powerMonitor.on('on-battery', () => server.runsOnBattery(true))
  powerMonitor.on('on-ac', () => server.runsOnBattery(false))
  server.runsOnBattery(powerMonitor.isOnBatteryPower())
  powerMonitor.on('suspend', () => hostLog.record('info', {}, 'the computer is going to sleep'))
  powerMonitor.on('resume', () => {
    hostLog.record('info', {}, 'the computer woke up')
    server.checkNetwork()
  })
}
