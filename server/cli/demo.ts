import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerConfig } from '../compose/server-config'
import { startServer, type RunningServer } from '../index'
import { DEMO_ACCOUNTS, plantDemo } from './demo-seed'

/**
 * Runs demos one after the other at one address, each in a new temporary folder with the same
 * content. `resetMs`: how long each runs. `onStart` gets each server. Ends with the process.
 */
export async function runDemo(
  options: ServerConfig,
  resetMs: number,
  onStart: (server: RunningServer, resetsAt: string) => void,
): Promise<never> {
  if (options.passedSocket !== undefined)
    throw new Error('--demo needs a port of its own: run it without slipway.socket')

  let port: Pick<ServerConfig, 'port'> = {}
  for (;;) {
    const dataDir = await mkdtemp(join(tmpdir(), 'slipway-demo-'))
    const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
    process.once('exit', removeFolder)
    const resetsAt = new Date(Date.now() + resetMs)
    const demo = { ...DEMO_ACCOUNTS, resets_at: resetsAt.toISOString() }

    const seeded = await startServer({ ...options, dataDir, host: '127.0.0.1', port: 0 })
    await plantDemo(seeded)
    await seeded.close()

    const server = await startServer({ ...options, ...port, dataDir, demo })
    port = { port: server.bound().port }
    onStart(server, demo.resets_at)
    await pause(resetsAt.getTime() - Date.now())

    await server.close()
    process.off('exit', removeFolder)
    await rm(dataDir, { recursive: true, force: true })
  }
}
