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
 * Which files of `server/` a request executes: `npm run bench -- walk`. A reader has to open as
 * many to follow it. It fails above a limit, which may only fall.
 *
 * V8 counts the calls of the whole process, so each request is sent several times, and a file
 * counts if one of its functions ran each time. That leaves out what timers run now and then, the
 * top level of modules, and what runs only the first time. What esbuild adds (`__name`) does not
 * count either. Everything else does: each middleware that a request passes, and each small
 * function of `compose/` that it calls.
 */
const root = join(import.meta.dirname, '../..')
/** The server's work for a request after its reply, in ms: with the line that a day log gathers. */
const SETTLE_MS = 350
const REPEATS = 5
const MOST_REPEATS = 20

interface Walk {
  name: string
  limit: number
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
  head('request', 'files', 'limit')
  for (const { walk, files } of found) {
    row(walk.name, String(files.length), `≤ ${walk.limit}`)
    if (files.length > walk.limit) process.exitCode = 1
  }
  // For the terminal only: docs/benchmarks.md keeps the counts.
  for (const { walk, files } of found) console.error(`\n${walk.name}:\n  ${files.join('\n  ')}`)
} finally {
  await server.close()
  session.disconnect()
  await rm(dir, { recursive: true, force: true })
}

/** A host with one project, and the three requests. */
async function plan(): Promise<Walk[]> {
  const { url } = server
  const { client, key } = await anAccount(url, server.setupUrl())
  const { project } = await client.projects.create({ title: 'Rocket', is_public: true })
  let build = 0
  const upload = () => {
    const body = new FormData()
    body.append('project_id', project.project_id)
    body.append('is_public', 'true')
    body.append('file', new File([randomBytes(100_000)], `rocket-1.${build++}.dat`))
    return fetch(`${url}/api/files/upload`, { method: 'POST', headers: { 'X-API-Key': key }, body })
  }
  await upload()
  await pause(SETTLE_MS)
  const { project: shown } = await client.projects.byId({ id: project.project_id })
  const link = shown.downloads[0]?.file_id
  return [
    { name: 'multipart upload with an API key', limit: 84, request: upload },
    {
      name: 'download of a project file',
      limit: 51,
      request: () => fetch(`${url}/api/projects/${project.slug}/downloads/${link}/download`),
    },
    {
      name: 'HTML of a project page',
      limit: 68,
      // Another query each time: a reply that visitors share is written once.
      request: () => fetch(`${url}/p/${project.slug}?from=${build++}`),
    },
  ]
}

/**
 * The files of which a function ran for each of several equal requests, in the order of their
 * paths.
 */
async function filesOf(walk: Walk): Promise<string[]> {
  let ran = [...(await functionsOf(walk))]
  const listFiles = () => {
    const paths = ran.map((place) => relative(root, new URL(place).pathname))
    return [...new Set(paths)].sort()
  }

  // On a slow machine a timer can run beside each of a few requests.
  for (let round = 1; round < MOST_REPEATS; round++) {
    if (round >= REPEATS && listFiles().length <= walk.limit) break
    const again = await functionsOf(walk)
    ran = ran.filter((place) => again.has(place))
  }
  return listFiles()
}

/**
 * The functions of `server/` that ran for one request: the address of their file and their offset
 * in it.
 */
async function functionsOf({ name, request }: Walk): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage')
  const response = await request()
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  await pause(SETTLE_MS)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const own = pathToFileURL(join(root, 'server')).href
  const ran = result
    .filter(({ url }) => url.startsWith(own))
    .flatMap(({ url, functions }) =>
      functions
        .filter(
          ({ functionName, ranges: [whole] }) =>
            (whole?.count ?? 0) > 0 && functionName !== '__name',
        )
        .map(({ ranges: [whole] }) => `${url}#${whole?.startOffset}`),
    )
  return new Set(ran)
}

/** The smallest UI that has pages. */
async function aUi(): Promise<string> {
  const uiDir = join(dir, 'ui')
  await mkdir(uiDir)
  for (const page of ['index.html', 'visitor.html'])
    await writeFile(
      join(uiDir, page),
      '<!doctype html><html><head><title>Slipway</title></head><body></body></html>',
    )
  await writeFile(join(uiDir, 'page-files.json'), '{}')
  return uiDir
}
