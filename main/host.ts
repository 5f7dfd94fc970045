import { join } from 'node:path'
import { app } from 'electron'
import { realDeps, startServer, type RunningServer } from '../server'
import type { Options } from './options'

/** How many ports are tried when the one of the settings is taken. */
const PORTS_TRIED = 20

/** Starts the server of this window on the address of the settings, or of the command line. */
export async function startHost(options: Options, windowSecret: string): Promise<RunningServer> {
  const { dataDir, host, port, publicUrl } = options
  const config = { dataDir, windowSecret, uiDir: join(import.meta.dirname, '../renderer'), version: app.getVersion() }
  // The settings are known once the server runs, so it starts where no port can be taken and moves from there.
  const start = { ...config, host: '127.0.0.1', port: 0, ...(publicUrl === undefined ? {} : { publicUrl }) }
  const server = await startServer(start, realDeps)
  const settings = server.context.settings.get()
  try {
    await listen(server, host ?? settings.host, portsFrom(port, settings.port))
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** A port that was asked for must be free; one of the settings may give way to a later one. */
function portsFrom(asked: number | undefined, usual: number): number[] {
  if (asked !== undefined || usual === 0) return [asked ?? usual]
  const last = Math.min(usual + PORTS_TRIED, 65_535)
  return Array.from({ length: last - usual + 1 }, (_, index) => usual + index)
}

/** Listens on the first port that can be had. When there is none, throws what was wrong with the first one. */
async function listen(server: RunningServer, host: string, ports: number[]): Promise<void> {
  const failures: unknown[] = []
  for (const port of ports) {
    try {
      await server.listen(host, port)
      return
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

/** Where the window finds its server: loopback, unless the server listens on one certain address only. */
export function originOf(server: RunningServer): string {
  const { host, port } = server.bound()
  const name = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
