import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { answering } from '../../../scripts/dev/answering'
import { freePort } from '../../../scripts/dev/free-port'
import { stop } from '../transfers/process'

/** A host in a process of its own. */
export interface AttackedHost {
  url: string
  port: number
  pid: number
  /** Whether its process still runs. */
  isAlive: () => boolean
  stop: () => Promise<void>
}

/** The measured build: BENCH_DIST, the `cli.js` of another build, or this source, bundled as it ships. */
export async function bundle(dir: string): Promise<string> {
  const given = process.env.BENCH_DIST
  if (given !== undefined) return given
  const outDir = join(dir, 'dist')
  await build({ ...serverBundle, logLevel: 'warn', build: { ...serverBundle.build, outDir } })
  return join(outDir, 'cli.js')
}

/** Starts a host with so many descriptors; `also` adds options. */
export async function start(cli: string, data: string, descriptors: number, ...also: string[]): Promise<AttackedHost> {
  const port = await freePort()
  const limited = ['-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', process.execPath]
  const args = ['--port', String(port), '--host', '127.0.0.1', '--data', data, ...also]
  const child: ChildProcess = spawn('sh', [...limited, cli, ...args], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return { url, port, pid: child.pid ?? 0, isAlive, stop: () => stop(child) }
}
