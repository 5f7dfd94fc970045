import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { realDeps, startServer } from '../../../server/index'

/** The server on a data folder, in a process of its own; answers over IPC how it fares. */
const dataDir = process.argv[2] ?? ''
const uiDir = tmpdir()
const server = await startServer(
  { dataDir, uiDir, version: 'bench', host: '127.0.0.1', port: 0, rateLimits: false },
  realDeps,
)
const started = performance.now()
const { key } = await server.context.apiKeys.create(`user${'0'.repeat(12)}`, 'bench', null)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

process.send?.({ url: server.url, key, started })
process.on('message', (what) => void answer(what))

async function answer(what: unknown): Promise<void> {
  if (what === 'reset') delay.reset()
  if (what === 'snapshot') {
    delay.reset()
    await server.context.library.checkpoint()
  }
  process.send?.({ longest: delay.max / 1e6, rss: process.memoryUsage().rss / 1024 ** 2 })
}
