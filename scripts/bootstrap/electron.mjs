import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, findNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

const folder = join(root, 'node_modules/electron')
const failureNote = join(root, 'node_modules/.electron-download-failed')
const downloadLimit = 5 * 60_000
const retryAfter = 60 * 60_000
const executables = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/** The official Electron: what is there, else what can be downloaded. Undefined when neither works. */
export async function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const path = join(override ?? join(folder, 'dist'), executables[process.platform] ?? 'electron')
  if (existsSync(path)) return path
  if (override || failedLately()) return undefined
  return (await download()) && existsSync(path) ? path : undefined
}

/** A failure is remembered for an hour, so that the next start does not wait for the same one again. */
function failedLately() {
  if (!existsSync(failureNote)) return false
  return Date.now() - Number(readFileSync(failureNote, 'utf8')) < retryAfter
}

async function download() {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  console.log(`Downloading Electron ${version}, once …`)
  const options = { env: environment(), stdio: 'ignore', timeout: downloadLimit }
  const code = await run(findNode(), [join(folder, 'install.js')], options)
  if (code !== 0) writeFileSync(failureNote, String(Date.now()))
  return code === 0
}
