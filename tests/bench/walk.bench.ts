import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { realDeps, startServer } from '../../server/index'
import { head, row } from './support/figures'
import { anAccount } from './transfers/slipway'

/**
 * Which files of `server/` a request executes: `npm run bench -- walk`. A reader has to open as many to follow it. With
 * BENCH_CHECK=1 it fails above a goal.
 */
const root = join(import.meta.dirname, '../..')
/** The server's work for a request after its reply, in ms. */
const SETTLE_MS = 300

interface Walk {
  name: string
  goal: number | undefined
  request: () => Promise<Response>
}

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-walk-'))
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const server = await startServer(
  { dataDir: join(dir, 'data'), uiDir: await aUi(), version: 'bench', port: 0 },
  realDeps,
)
try {
  const walks = await plan()
  const found: { walk: Walk; files: string[] }[] = []
  for (const walk of walks) found.push({ walk, files: await filesOf(walk) })
  head('request', 'files', 'goal')
  for (const { walk, files } of found) {
    row(walk.name, String(files.length), walk.goal === undefined ? '' : `≤ ${walk.goal}`)
    if (process.env.BENCH_CHECK && files.length > (walk.goal ?? Infinity)) process.exitCode = 1
  }
  for (const { walk, files } of found) console.log(`\n${walk.name}: ${files.map((file) => `\`${file}\``).join(', ')}.`)
} finally {
  await server.close()
  session.disconnect()
  await rm(dir, { recursive: true, force: true })
}

/** A host with one project, and the three requests. */
async function plan(): Promise<Walk[]> {
  const { client, key } = await anAccount(server.url, server.setupUrl())
  const { project } = await client.projects.create({ title: 'Rocket', is_public: true })
  const upload = (filename: string) => {
    const body = new FormData()
    body.append('project_id', project.project_id)
    body.append('is_public', 'true')
    body.append('file', new File([randomBytes(100_000)], filename))
    return fetch(`${server.url}/api/files/upload`, { method: 'POST', headers: { 'X-API-Key': key }, body })
  }
  await upload('rocket-1.0.bin')
  const { project: shown } = await client.projects.byId({ id: project.project_id })
  const link = shown.downloads[0]?.file_id
  return [
    { name: 'multipart upload with an API key', goal: 55, request: () => upload('rocket-1.1.bin') },
    {
      name: 'download of a project file',
      goal: 35,
      request: () => fetch(`${server.url}/api/projects/${project.slug}/downloads/${link}/download`),
    },
    { name: 'HTML of a project page', goal: undefined, request: () => fetch(`${server.url}/p/${project.slug}`) },
  ]
}

/** The files of which a function ran for a request, in the order of their paths. */
async function filesOf({ name, request }: Walk): Promise<string[]> {
  await pause(SETTLE_MS)
  await session.post('Profiler.takePreciseCoverage')
  const response = await request()
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  await pause(SETTLE_MS)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const own = pathToFileURL(join(root, 'server')).href
  const ran = result.filter(
    ({ url, functions }) => url.startsWith(own) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  return ran.map(({ url }) => relative(root, new URL(url).pathname)).sort()
}

/** The smallest UI that has pages. */
async function aUi(): Promise<string> {
  const uiDir = join(dir, 'ui')
  await mkdir(uiDir)
  await writeFile(
    join(uiDir, 'index.html'),
    '<!doctype html><html><head><title>Slipway</title></head><body></body></html>',
  )
  await writeFile(join(uiDir, 'page-files.json'), '{}')
  return uiDir
}
