import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { cpuSeconds } from '../../support/machines/process'
import { fillHost } from '../../support/data/full-host'
import { clientAt, startHost } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { tempDir } from '../../support/system/temp-dir'

/** Processor time in seconds, which only Linux tells. */
const usedBy = process.platform === 'linux' ? cpuSeconds : () => Promise.resolve(0)

const FILES = rounds(100_000, 10_000)
const TIMES = 100
/**
 * Memory, and the processor time of the host; `npm run bench -- library` measures how long people
 * wait.
 */
const PROMISED = { startMs: 10_000, readMs: 100, writeMs: 50, rssMb: 600 }

test(
  `${FILES} files: it starts, lists, finds and saves with little processor time and memory`,
  { timeout: 300_000 },
  async () => {
    const base = await tempDir()
    const dir = join(base, 'data')
    await fillHost(dir, FILES, 1000)

    const host = await startHost(dir, { checkpointBytes: 10_000_000 })
    const { pid = 0 } = host.process
    const startMs = (await usedBy(pid)) * 1000
    const client = await signedIn(host.url)
    const each = async (call: (n: number) => Promise<unknown>) => {
      const before = await usedBy(pid)
      for (let n = 0; n < TIMES; n++) await call(n)
      return (((await usedBy(pid)) - before) * 1000) / TIMES
    }
    const readMs = Math.max(
      await each(() => client.files.mine({ limit: 50 })),
      await each(() => client.files.listPublic({ limit: 50, search: '99-rel' })),
      await each(() => client.projects.listPublic({ limit: 20 })),
    )
    const writeMs = await each((n) =>
      client.projects.update({ id: 'project-0', title: `Project ${n}` }),
    )
    const figures = { startMs, readMs, writeMs, rssMb: host.rss() / MB }

    const told = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
    console.log(`16: ${FILES} files: ${told.join(', ')}`)
    expect(figures.rssMb).toBeLessThan(PROMISED.rssMb)
    expect(startMs).toBeLessThan(PROMISED.startMs)
    expect(readMs).toBeLessThan(PROMISED.readMs)
    expect(writeMs).toBeLessThan(PROMISED.writeMs)
  },
)

/** The owner of every tenth file and of some projects. */
async function signedIn(url: string) {
  const { fetch } = new Browser(url)
  const person = createClient(url, { fetch })
  await person.accounts.login({ username: 'user0', password: PASSWORD })
  return clientAt({ url, key: (await person.apiKeys.create({ name: 'scale' })).api_key })
}
