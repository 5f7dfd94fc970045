import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'vite'
import { answering } from './dev/answering'
import { freePort } from './dev/free-port'
import { liveHead } from './dev/live-head'
import { proxyTo } from './dev/proxy'
import { describePlanted } from './seed/describe'
import { plant } from './seed/plant'
import { setupLinkIn } from './seed/setup-link'

const root = join(import.meta.dirname, '..')
const dataDir = join(root, '.cache/dev')
const port = await freePort()
const target = `http://127.0.0.1:${port}`

await rm(dataDir, { recursive: true, force: true })
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
/** The addresses of files outside /api, as vite reads a pattern. */
const ADDRESSES = '^/p/[^/]+/(latest|releases/[^/]+/[^/]+)'
const source = ['watch', '--clear-screen=false', 'server/cli/run.ts']
const server = [...source, '--check-replies', '--port', String(port), '--data', dataDir]
const child = spawn(process.execPath, [tsx, ...server], {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
})
let printed = ''
child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
child.stdout.pipe(process.stdout)
process.once('exit', () => child.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

const vite = await createServer({
  configFile: join(root, 'vite.config.ts'),
  plugins: [liveHead(target)],
  server: { proxy: { '/api': proxyTo(target), [ADDRESSES]: proxyTo(target) } },
})
await vite.listen()
await answering(target)
console.log(describePlanted(await plant(setupLinkIn(printed) ?? '')))
console.log(
  `Pages      ${vite.resolvedUrls?.local[0] ?? ''} (with hot reload; the server itself is at ` +
    `${target})`,
)
