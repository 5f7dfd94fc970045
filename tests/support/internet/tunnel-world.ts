import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../../scripts/dev/free-port'
import { SSHD_SETTINGS } from '../../../server/contract/host/internet'
import { realDisk } from '../../../server/core/durable-file'
import type { TunnelChoice } from '../../../server/libraries/ssh-tunnel/ssh-session'
import { Tunnel } from '../../../server/libraries/ssh-tunnel/tunnel'
import { authorizedKeyLine, tunnelKey } from '../../../server/libraries/ssh-tunnel/tunnel-key'
import { tempDir } from '../system/temp-dir'
import { weakLine } from '../network/weak-line'
import { SECOND, TestClock } from '../world/test-clock'
import { TestLog } from '../world/test-log'
import { startSshd, type Sshd } from './sshd'

/** Every Linux has the whole of 127.0.0.0/8; the loopback address of sshd is 127.0.0.1 only. */
const PUBLIC = '127.0.0.2'
export const VISITOR = '127.0.0.3'

interface Options {
  settings?: string[]
  /** What `authorized_keys` has in place of the line for the key. */
  keys?: (line: string) => string
  keepaliveMs?: number
  /** Where visitors arrive; without it, at a site of its own. */
  enter?: (stream: Duplex, address: string) => void
}

/**
 * A tunnel through a line that can fail, with a clock that only the test advances, to an sshd of
 * its own.
 */
export async function tunnelWorld({
  settings = [...SSHD_SETTINGS],
  keys = (line) => line,
  keepaliveMs = 2000,
  enter,
}: Options = {}) {
  const dataDir = await tempDir()
  const clock = new TestClock()
  const [port, remotePort] = [await freePort(), await freePort()]
  const line = await weakLine(port)
  const key = await tunnelKey(dataDir, realDisk)
  const start = () =>
    startSshd({
      address: '127.0.0.1',
      port,
      keys: keys(authorizedKeyLine(key, remotePort)),
      settings,
    })
  let sshd = await start()
  const visitors: string[] = []
  const site = createServer((_request, response) => response.end('ahoy'))
  const tunnel = new Tunnel({
    dataDir,
    disk: realDisk,
    clock,
    log: new TestLog(),
    patience: { openMs: 2000, keepaliveMs },
    enter(stream, address) {
      visitors.push(address)
      if (enter) enter(stream, address)
      else site.emit('connection', stream)
    },
  })
  onTestFinished(async () => {
    await tunnel.close()
    await sshd.stop()
  })
  const choice: TunnelChoice = {
    server: '127.0.0.1',
    port: line.port,
    user: 'root',
    remotePort,
    fingerprint: null,
  }
  return {
    tunnel,
    choice,
    line,
    clock,
    visitors,
    site,
    get sshd(): Sshd {
      return sshd
    },
    url: `http://${PUBLIC}:${remotePort}/`,
    /** Ends the server with its sessions and starts it again, with another key of its own. */
    replaceServer: async () => {
      await sshd.stop()
      sshd = await start()
    },
    open: () => tunnel.open({ ...choice, fingerprint: sshd.fingerprint }),
    /** Waits for a state, while the clock advances quickly. */
    until: async (kind: 'open' | 'waiting' | 'failed', problem?: string) => {
      await expect
        .poll(() => {
          clock.advance(SECOND)
          return tunnel.state
        })
        .toMatchObject(problem === undefined ? { kind } : { kind, problem })
    },
  }
}

/**
 * The body of a page, as a visitor from another address gets it. Throws what the connection fails
 * with.
 */
export async function visit(url: string): Promise<string> {
  const request = get(url, { agent: false, localAddress: VISITOR })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  return (await reply.setEncoding('utf8').toArray()).join('')
}
