import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { electronPath, repoRoot, testSwitches } from './launch'

/**
 * Packages the built app for Linux into `folder`, as `npm run package` does. Returns its
 * executable.
 */
export async function packageApp(
  folder: string,
  signingKey: string,
  { target = 'dir', options = [] as readonly string[], tools = {} } = {},
): Promise<string> {
  const electron = dirname(electronPath())
  const env = {
    ...process.env,
    SLIPWAY_UPDATE_SIGNING_KEY: signingKey,
    ELECTRON_OVERRIDE_DIST_PATH: electron,
    ...tools,
  }
  const tsx = join(repoRoot, 'node_modules/tsx/dist/cli.mjs')
  const output = `-c.directories.output=${folder}`
  const script = [tsx, 'scripts/package.ts', '--linux', target, output, ...options]
  await promisify(execFile)(process.execPath, script, { cwd: repoRoot, env })
  return join(folder, 'linux-unpacked/slipway')
}

/** Names of all files in an asar: a header that says its own length, then the bytes. */
export async function filesInAsar(path: string): Promise<string[]> {
  const file = await open(path)
  const sizes = await file.read(Buffer.alloc(16), 0, 16, 0)
  const length = sizes.buffer.readUInt32LE(12)
  const header = await file.read(Buffer.alloc(length), 0, length, 16)
  await file.close()
  return namesIn(JSON.parse(header.buffer.toString()) as Folder, '')
}

interface Folder {
  files?: Record<string, Folder>
}

const namesIn = ({ files }: Folder, path: string): string[] =>
  files
    ? Object.entries(files).flatMap(([name, entry]) => namesIn(entry, `${path}/${name}`))
    : [path]

/**
 * Starts a packaged app. Its fuses shut out the Node inspector by which tests drive the other one,
 * so this one is looked at as a browser is: by the address of its developer tools.
 */
export async function startPackaged(
  executable: string,
  dataDir: string,
): Promise<{ devtools: string; end: () => Promise<number> }> {
  const args = [...testSwitches, '--data', dataDir, '--remote-debugging-port=0']
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  return { devtools: await devtoolsOf(child), end: () => endOf(child) }
}

async function devtoolsOf({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('The app has no stderr')
  for await (const line of createInterface(stderr)) {
    const address = /^DevTools listening on (\S+)$/.exec(line)?.[1]
    if (address === undefined) continue
    stderr.resume()
    return address
  }
  throw new Error('The packaged app ended before it opened a window')
}

async function endOf(child: ChildProcess): Promise<number> {
  const ending = once(child, 'exit') as Promise<[number]>
  child.kill('SIGTERM')
  return (await ending)[0]
}
