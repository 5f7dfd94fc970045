import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { rounds } from '../../support/system/rounds'
import { aFile, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'

const MIB = 1024 * 1024
const VISITORS = rounds(200, 60)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use: the least of five samples, as collected memory is released a moment later. */
async function inUse(): Promise<number> {
  const looks: number[] = []
  for (let look = 0; look < 5; look++) {
    collect()
    await pause(50)
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    looks.push(heapUsed + arrayBuffers)
  }
  return Math.min(...looks)
}

test(
  `${VISITORS} visitors who stop reading half-way use little memory, and none once they leave`,
  { timeout: 60_000 },
  async ({ server }) => {
    const bytes = Buffer.alloc(24 * MIB, 7)
    const { file_id } = await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })
    const { transfers: runningTransfers } = server.inside
    const before = await inUse()
    const sockets: Socket[] = []
    for (let visitor = 0; visitor < VISITORS; visitor++) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`GET /api/files/${file_id}/download HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
      await once(socket, 'data')
      socket.pause()
      sockets.push(socket)
    }
    const held = (await inUse()) - before
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => runningTransfers.count).toBe(0)

    // 16 MiB are in use as large blocks; the visitors' own side is counted in here too.
    expect(held).toBeLessThan(16 * MIB + VISITORS * 160 * 1024)
  },
)
