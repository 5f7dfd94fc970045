import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/dev/free-port'
import { realSources } from '../../server/core/clock'
import { realDisk } from '../../server/core/durable-file'
import { hostLog, realDeps, type RunningServer } from '../../server/index'
import { issue, makeAuthority } from '../../server/libraries/certificates/certificate'
import { Tunnel } from '../../server/libraries/ssh-tunnel/tunnel'
import { authorizedKeyLine, sshdSettings, tunnelKey } from '../../server/libraries/ssh-tunnel/tunnel-key'
import { startSshd } from '../support/internet/sshd'
import { startInside } from '../support/world/inside'
import { upload } from '../support/world/upload'
import { curlTogether } from './transfers/process'
import { compare, compareHead, turnOf } from './transfers/report'
import { anAccount } from './transfers/slipway'

/**
 * Downloads through a tunnel (Debian's sshd on this computer) against the same through a mapped port, in turn, each row
 * the median of its rounds: `npm run bench -- tunnel`. BENCH_MIB (100) and BENCH_ROUNDS (5) make it shorter.
 */
const MIB = 1024 * 1024
const SIZE = Number(process.env.BENCH_MIB ?? 100)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const NUMBER = '203.0.113.7'

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const dataDir = join(dir, 'data')
await mkdir(dataDir, { mode: 0o700 })
hostLog.keep({ dataDir, level: 'error' })
const { running: server, inside } = await startInside(
  { dataDir, uiDir: dir, version: '1.0.0', host: '127.0.0.1', port: 0, rateLimits: false },
  realDeps,
)
const path = await publish(server)
const { outsideDoor, setPublicOrigin } = inside
const mapped = await outsideDoor.open()
const { tunneled, close } = await openTunnel()
try {
  console.log(`${SIZE} MiB; the median of ${ROUNDS} rounds.\n`)
  compareHead('download', 'tunnel', 'mapped port')
  for (const scheme of ['https', 'http'] as const) {
    serve(scheme)
    for (const count of [1, 8]) await measure(scheme, count)
  }
} finally {
  await close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
}

/** Publishes a file of random bytes, and returns the path of its download. */
async function publish(running: RunningServer): Promise<string> {
  const { url } = running
  const { key } = await anAccount(url, running.setupUrl())
  const asBench = (to: string, init: RequestInit) => fetch(url + to, { ...init, headers: { 'x-api-key': key } })
  const { file_id: id } = await upload(asBench, new File([randomBytes(SIZE * MIB)], 'big'), { is_public: 'true' })
  return `/api/files/${id}/download`
}

async function openTunnel() {
  const port = await freePort()
  const remotePort = await freePort()
  const keys = authorizedKeyLine(await tunnelKey(dataDir, realDisk), remotePort)
  const sshd = await startSshd({ address: '127.0.0.1', port, keys, settings: [...sshdSettings] })
  const enter: ConstructorParameters<typeof Tunnel>[0]['enter'] = (stream, address) => outsideDoor.take(stream, address)
  const tunnel = new Tunnel({ dataDir, disk: realDisk, clock: realSources, log: hostLog, enter })
  const opened = new Promise<void>((resolve) => {
    tunnel.onChange(() => {
      if (tunnel.state?.kind === 'open') resolve()
    })
  })
  await tunnel.open({ server: '127.0.0.1', port, user: 'root', remotePort, fingerprint: sshd.fingerprint })
  await opened
  const close = async () => {
    await tunnel.close()
    await sshd.stop()
  }
  return { tunneled: remotePort, close }
}

function serve(scheme: 'http' | 'https'): void {
  const names = { names: [], addresses: [NUMBER] }
  outsideDoor.offer(scheme === 'https' ? issue(makeAuthority(names, new Date()), names, new Date()) : undefined)
  setPublicOrigin(`${scheme}://${NUMBER}`)
}

async function measure(scheme: string, count: number): Promise<void> {
  const turns = [tunneled, mapped].map((port) => {
    const args = ['-k', '--connect-to', `::127.0.0.1:${port}`, `${scheme}://${NUMBER}${path}`]
    return turnOf(process.pid, SIZE * count, () => curlTogether(count, args))
  })
  await compare(`${scheme} × ${count}`, turns, ROUNDS, { cpu: '', speed: '≥ 0.05' })
}
