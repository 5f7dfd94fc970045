import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Host, until } from '../../support/world/process'
import { fetchAt, register } from '../../support/world/place'
import { upload } from '../../support/world/upload'

const DESCRIPTORS = 300
/** All at once, the backlog of the system would slow them down. */
const BATCH = 200
/**
 * Longer than the host takes between two looks at the addresses of its machine, which need a
 * descriptor, in ms.
 */
const FLOOD_MS = 4000
/** Linux has the whole of 127.0.0.0/8; this one stands for another machine. */
const FLOODER = '127.0.0.2'

/** Connections from one address, opened again as fast as the host closes them. */
class Flood {
  readonly #open = new Set<Socket>()
  #hasEnded = false
  made = 0

  constructor(
    private readonly port: number,
    private readonly size: number,
    private readonly says: string,
  ) {}

  async run(ms: number): Promise<void> {
    const end = performance.now() + ms
    while (this.made < this.size || performance.now() < end) {
      await Promise.all(
        Array.from({ length: Math.min(BATCH, this.size - this.#open.size) }, () => this.#connect()),
      )
      await pause(10)
    }
  }

  stop(): void {
    this.#hasEnded = true
    for (const socket of this.#open) socket.destroy()
  }

  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: FLOODER })
      this.#open.add(socket)
      this.made++
      socket.on('error', () => resolve())
      socket.once('close', () => this.#open.delete(socket))
      socket.once('connect', () => {
        if (this.#hasEnded) socket.destroy()
        if (this.says !== '') socket.write(this.says)
        resolve()
      })
    })
  }
}

/** The status of a request on a connection of its own. */
const ask = (url: string) =>
  new Promise<number>((resolve, reject) => {
    const asking = request(`${url}/api/auth/check`, { agent: false }, (reply) => {
      text(reply).then(() => resolve(reply.statusCode ?? 0), reject)
    })
    asking.on('error', reject).end()
  })

const head = (port: string) =>
  `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`

test.skipIf(process.platform !== 'linux').for([
  ['2,000 silent connections', 2000, () => ''],
  ['1,300 half-sent sign-ins', 1300, head],
] as const)(
  `%s from one address keep nobody else out, where there are ${DESCRIPTORS} descriptors`,
  async ([, size, says]) => {
    const base = await mkdtemp(join(tmpdir(), 'slipway-flood-'))
    const data = join(base, 'data')
    const under = ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh']
    const host = await Host.start(data, { under, limited: true })
    onTestFinished(async () => {
      await host.kill()
      await rm(base, { recursive: true, force: true })
    })
    const place = await register(host)
    const { port } = new URL(host.url)
    const flood = new Flood(Number(port), size, says(port))

    const over = new AbortController()
    const flooding = flood.run(FLOOD_MS).finally(() => over.abort())
    const answers: number[] = []
    while (!over.signal.aborted) {
      answers.push(await ask(host.url))
      await pause(20)
    }
    await flooding
    flood.stop()

    expect(flood.made).toBeGreaterThanOrEqual(size)
    expect(new Set(answers), 'each of those who asked meanwhile').toEqual(new Set([200]))
    await until(async () => (await ask(host.url)) === 200, 10)
    const { file_id } = await upload(fetchAt(place), new File(['kept'], 'a.txt'))
    const download = await fetchAt(place)(`/api/files/${file_id}/download`)
    expect(await download.text()).toBe('kept')
    expect([host.process.exitCode, host.process.signalCode]).toEqual([null, null])
    const log = await readFile(join(data, 'logs/slipway.log'), 'utf8')
    const lines = log.split('\n').filter((line) => line.includes('too many connections'))
    expect(lines.length, 'one line at once, then one a minute').toBe(1)
  },
)
