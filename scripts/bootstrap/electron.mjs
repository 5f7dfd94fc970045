import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environment, findNode } from './node.mjs'
import { root } from './root.mjs'
import { step } from './step.mjs'

const folder = join(root, 'node_modules/electron')
const failureNote = join(root, 'node_modules/.electron-download-failed')
const downloadLimit = 5 * 60_000
const retryAfter = 60 * 60_000
const executables = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/**
 * Returns the official Electron as `{ path }`: the installed one, else a download. Returns `{
 * reason }` if neither works.
 */
export async function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const path = join(override ?? join(folder, 'dist'), executables[process.platform] ?? 'electron')
  if (existsSync(path)) return { path }
  if (override) return { reason: `ELECTRON_OVERRIDE_DIST_PATH has no Electron (${path})` }
  const failure = failedLately() ?? (await download())
  return failure === undefined
    ? { path }
    : { reason: `Electron could not be downloaded (${failure})` }
}

/**
 * Whether a download failed within the last hour, so that the next start does not wait for it
 * again.
 */
function failedLately() {
  if (!existsSync(failureNote)) return undefined
  const { at, failure } = JSON.parse(readFileSync(failureNote, 'utf8'))
  return Date.now() - at < retryAfter ? failure : undefined
}

/** Returns the reason of a failure, or undefined once Electron is installed. */
async function download() {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  try {
    const options = { env: environment(), timeout: downloadLimit }
    await step(3, `Downloading Electron ${version}, once`, () =>
      promisify(execFile)(findNode(), [join(folder, 'install.js')], options),
    )
    return undefined
  } catch (cause) {
    const failure = cause.killed
      ? 'it took over 5 minutes'
      : (/Error: (.*)/.exec(cause.stderr)?.[1] ?? cause.message)
    writeFileSync(failureNote, JSON.stringify({ at: Date.now(), failure }))
    return failure
  }
}
