import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { repoRoot } from './app/launch'

const cli = join(repoRoot, 'dist/server/cli.js')

/** Starts the headless host on a data folder and waits for its outcome. */
export async function serveToEnd(dataDir: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [cli, '--data', dataDir, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>])
  return { code, stderr }
}

/** The token of a link that `slipway manage` prints for the running host of a data folder. */
export async function manageLink(dataDir: string, { enter = [] }: Pick<ServeOptions, 'enter'> = {}): Promise<string> {
  const words = [...enter, process.execPath, cli, 'manage', '--data', dataDir]
  const { stdout } = await promisify(execFile)('env', words)
  return /link=([\w-]+)/.exec(stdout)?.[1] ?? stdout
}

interface ServeOptions {
  /** The words that start a program on a machine of the test network. */
  enter?: readonly string[]
  /** Further words of the command line. */
  args?: readonly string[]
}

/** A headless host that owns a data folder until `stop`. */
export async function serve(
  dataDir: string,
  { enter = [], args = [] }: ServeOptions = {},
): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn(
    'env',
    [...enter, process.execPath, cli, '--data', dataDir, '--port', '0', '--log-level', 'warn', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const closed = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    const origin = /listening on (\S+)/.exec(line)?.[1]
    if (origin === undefined) continue
    return {
      origin,
      async stop() {
        child.kill('SIGTERM')
        await closed
      },
    }
  }
  throw new Error('The headless host ended before it listened')
}
