import { randomBytes } from 'node:crypto'
import { app } from 'electron'
import { answerBridge, reportHostChanged, showFolder } from './bridge'
import { logCrashes } from './crash-log'
import { failToStart } from './failure'
import { originOf, startHost } from './host'
import { setMenu } from './menu'
import { readOptions, type Options } from './options'
import { openSession } from './own-session'
import { useProfile } from './profile'
import { quitInOrder } from './quit'
import { confineContents } from './security'
import { Sharing } from './sharing'
import { focusWindow, openWindow } from './window'

logCrashes()
app.setName('Slipway')
main().catch(failToStart)

/** One window at a time: a second start hands over to the first and ends. */
async function main(): Promise<void> {
  const options = readOptions(process.argv)
  useProfile(options)
  if (!app.requestSingleInstanceLock()) return app.exit(0)
  await app.whenReady()
  await start(options)
}

async function start(options: Options): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const server = await startHost(options, secret)
  quitInOrder(server)
  const origin = originOf(server)
  confineContents(origin)
  answerBridge(origin, options.dataDir)
  const window = openWindow({ origin, session: openSession(origin, secret), profileDir: options.profileDir })
  const sharing = new Sharing(server, () => reportHostChanged(window))
  setMenu({ sharing, showDataFolder: () => showFolder(options.dataDir) })
  app.on('second-instance', () => focusWindow(window))
}
