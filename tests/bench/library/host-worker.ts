import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { realDeps } from '../../../server/index'
import { startInside } from '../../support/world/inside'

/** The server on a data folder, in a process of its own; answers over IPC how it fares. */
const [, , dataDir = '', ownerId = ''] = process.argv
const { running, inside } = await startInside(
  { dataDir, uiDir: tmpdir(), version: 'bench', host: '127.0.0.1', port: 0, rateLimits: false },
  realDeps,
)
const started = performance.now()
const { apiKeys, library } = inside
const key = ownerId === '' ? '' : (await apiKeys.create(ownerId, 'bench', null)).key
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
const rss = () => process.memoryUsage.rss() / 1024 ** 2

process.send?.({ url: running.url, key, started, rss: rss() })
process.on('message', (what) => void answer(what))

async function answer(what: unknown): Promise<void> {
  if (what === 'reset') delay.reset()
  const start = performance.now()
  if (what === 'snapshot') {
    delay.reset()
    await library.checkpoint()
  }
  const { user, system } = process.cpuUsage()
  const took = performance.now() - start
  process.send?.({
    longest: delay.max / 1e6 - RESOLUTION_MS,
    rss: rss(),
    took,
    cpu: (user + system) / 1000,
  })
}
