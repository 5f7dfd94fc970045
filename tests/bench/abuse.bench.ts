import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD } from '../support/world/password'
import { ask, hold, whileRunning } from './abuse/requests'
import { fill, type World } from './abuse/world'
import { head, row } from './support/figures'
import { findBuilds, startHost, type Host } from './support/host'
import { peakMib, resetPeak, residentMib } from '../support/machines/process'

/**
 * What a stranger at one address costs everybody else: `npm run bench -- abuse`. Limits are on, as
 * they ship; only the requests of an hour are not limited, as they would end each measurement.
 */
const SILENT = 2000
const SILENT_MS = 6000
const HALF_READ = 100
const HALF_READ_MS = 10_000

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-abuse-'))
const data = join(dir, 'data')
try {
  const builds = await findBuilds()
  const limits = { requests_per_hour: 1_000_000 }
  const filling = await startHost(builds[0], data, { args: ['--no-rate-limits'] })
  const world = await fill(filling.url)
  await filling.stop()

  head('build', 'from one address', 'target', 'figure', 'others answered', 'worst wait of others')
  for (const attack of [silent, halfRead, zips, signIns, dots]) {
    for (const build of builds) {
      const host = await startHost(build, data, {
        limits,
        descriptors: attack === silent ? 1024 : 8192,
      })
      await attack({ ...host, name: build.name }, world)
      await host.stop()
    }
  }
} finally {
  await rm(dir, { recursive: true, force: true })
}

interface AttackedHost extends Host {
  name: string
}

type Seen = Awaited<ReturnType<typeof whileRunning>>

function tell(
  host: AttackedHost,
  what: string,
  target: string,
  figure: string,
  { asked, answered, worst }: Seen,
): void {
  const end = host.isAlive() ? '' : '; the host has ended'
  row(
    host.name,
    what,
    target,
    `${figure}${end}`,
    `${answered} of ${asked}`,
    `${worst.toFixed(0)} ms`,
  )
}

async function silent(host: AttackedHost): Promise<void> {
  let held = 0
  const seen = await whileRunning(host.url, async () => {
    const sockets = await hold(host.port, SILENT)
    await pause(1000)
    held = sockets.filter((socket) => !socket.destroyed).length
    await pause(SILENT_MS)
    sockets.forEach((socket) => socket.destroy())
  })
  tell(
    host,
    '2,000 silent connections, 1,024 descriptors',
    'others are answered',
    `${held} held`,
    seen,
  )
}

async function halfRead(host: AttackedHost): Promise<void> {
  const request = `GET /api/projects HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\n\r\n`
  await ask(`${host.url}/api/projects`)
  await pause(2000)
  const before = await residentMib(host.pid)
  await resetPeak(host.pid)
  const seen = await whileRunning(host.url, async () => {
    const sockets = await hold(host.port, HALF_READ, () => request)
    await pause(HALF_READ_MS)
    sockets.forEach((socket) => socket.destroy())
  })
  const more = host.isAlive() ? `${((await peakMib(host.pid)) - before).toFixed(0)} MiB more` : '?'
  tell(
    host,
    '100 half-read `GET /api/projects` of 1,000 projects',
    '≤ 50 MiB, ≤ 100 ms',
    more,
    seen,
  )
}

async function zips(host: AttackedHost, { slug }: World): Promise<void> {
  const zip = `${host.url}/api/projects/${slug}/download`
  let took = 0
  const seen = await whileRunning(host.url, async () => {
    const { status, ms } = await ask(zip, { method: 'HEAD', isAttack: true })
    if (status !== 200) throw new Error(`HEAD of the zip answers ${status}`)
    took = ms
  })
  tell(
    host,
    '`HEAD` of a zip of 5,000 files of one name',
    '≤ 100 ms',
    `${took.toFixed(0)} ms`,
    seen,
  )
}

async function signIns(host: AttackedHost, { usernames }: World): Promise<void> {
  const signIn = (n: number, isAttack: boolean) => {
    const body = JSON.stringify({ username: usernames[n % usernames.length], password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    return ask(`${host.url}/api/auth/login`, { method: 'POST', body, headers, isAttack })
  }
  const alone = await signIn(0, false)
  let victim = { status: 0, ms: 0 }
  const seen = await whileRunning(host.url, async () => {
    const flood = Promise.all(Array.from({ length: 50 }, (_, n) => signIn(n, true)))
    await pause(200)
    victim = await signIn(0, false)
    await flood
  })
  const figure = `${victim.ms.toFixed(0)} ms (${victim.status}); alone ${alone.ms.toFixed(0)} ms`
  tell(host, 'a sign-in elsewhere during 50 parallel ones', '≤ 2 s more', figure, seen)
}

async function dots(host: AttackedHost, { key }: World): Promise<void> {
  const part = `Content-Disposition: form-data; name="file"; filename="${'.'.repeat(15_900)}x"`
  const body = `--B\r\n${part}\r\n\r\nhi\r\n--B--\r\n`
  const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=B' }
  const upload = () =>
    ask(`${host.url}/api/files/upload`, { method: 'POST', body, headers, isAttack: true })
  const seen = await whileRunning(host.url, () => Promise.all(Array.from({ length: 10 }, upload)))
  tell(host, '10 uploads with names of 15,900 dots', '', `${seen.took.toFixed(0)} ms`, seen)
}
