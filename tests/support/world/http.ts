import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, inject, test as base } from 'vitest'
import type { ServerConfig } from '../../../server/index'
import type { UserRecord } from '../../../server/data/records/account-records'
import type { Project } from '../../../server/contract'
import type { RouterAccess } from '../../../server/features/internet/needs'
import { whyLeftOut } from '../cluster/left-out'
import { isThreeHosts } from '../cluster/three-hosts'
import { noNetwork } from '../network/small-routers'
import { aProject, aUser } from './factories'
import { TestClock } from './test-clock'
import { TestLog } from './test-log'
import { TestServer, WINDOW_SECRET, type Person } from './test-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cost of a password hash in this suite; undefined: the real one. */
    passwordCost: number | undefined
  }
}

interface Fixtures {
  /** What this server has that others do not; a test file overrides it with `test.extend`. */
  config: Partial<ServerConfig>
  /** What its `settings.json` says. */
  settings: object
  clock: TestClock
  log: TestLog
  /** A temporary folder, removed after the test. */
  folder: string
  /** The network around it; without a router, so that no test asks a real one. */
  routers: RouterAccess
  server: TestServer
  /** The host account at the window of the machine. */
  atWindow: Person
  alice: UserRecord
  bob: UserRecord
  /** Alice, signed in. */
  signedIn: Person
  /** Alice's project Rocket, which is private. */
  project: Project
  /** The same, but public. */
  published: Project
  /** The slug of the public one. */
  id: string
}

/**
 * `test` with a server of its own: the real pipeline on a real folder, a clock that the test moves,
 * a quiet log.
 */
export const test = base.extend<Fixtures>({
  config: async ({}, use) => use({}),
  settings: async ({}, use) => use({}),
  clock: async ({}, use) => use(new TestClock()),
  log: async ({}, use) => {
    const log = new TestLog()
    await use(log)
    expect(log.takeErrors(), 'errors that the server has logged').toEqual([])
  },
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-test-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  routers: async ({}, use) => use(noNetwork),
  server: async ({ config, settings, clock, log, folder, routers, task, skip }, use) => {
    const why = isThreeHosts ? whyLeftOut(task.file.filepath, titleOf(task)) : undefined
    if (why !== undefined) skip(why)
    const dataDir = join(folder, 'data')
    const uiDir = await anUi(folder)
    await mkdir(dataDir, { mode: 0o700 })
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
    const usual = {
      dataDir,
      uiDir,
      windowSecret: WINDOW_SECRET,
      passwordCost: inject('passwordCost'),
    }
    const server = await TestServer.start({ ...usual, ...config }, { clock, log, routers })
    await use(server)
    await server.end()
  },
  atWindow: async ({ server }, use) =>
    use(await server.atWindow(await aUser(server, 'host', { isHost: true }))),
  alice: async ({ server }, use) => use(await aUser(server, 'alice')),
  bob: async ({ server }, use) => use(await aUser(server, 'bob')),
  signedIn: async ({ server, alice }, use) => use(await server.signedIn(alice)),
  project: async ({ server, alice }, use) => use(await aProject(server, alice)),
  published: async ({ server, alice }, use) =>
    use(await aProject(server, alice, { is_public: true })),
  id: async ({ published }, use) => use(published.slug),
})

const pageWith = (script: string) => `<!doctype html>
<html lang="en">
  <head>
    <title>Slipway</title>
    <meta name="description" content="The page as it was built" />
  </head>
  <body><!-- content --><script type="module" src="/assets/${script}-abc123.js"></script></body>
</html>
`

const script = 'console.log("slipway")\n'.repeat(100)
const compressedScript = brotliCompressSync(script)

/** A UI as small as can be: the page, a hashed asset and an icon. */
async function anUi(folder: string): Promise<string> {
  const uiDir = join(folder, 'ui')
  await mkdir(join(uiDir, 'assets'), { recursive: true })
  await writeFile(join(uiDir, 'visitor.html'), pageWith('visitor'))
  await writeFile(join(uiDir, 'assets', 'main-abc123.js'), script)
  await writeFile(join(uiDir, 'assets', 'main-abc123.js.br'), compressedScript)
  await writeFile(join(uiDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return uiDir
}

/** With the titles of its groups. */
function titleOf({
  name,
  suite,
}: {
  name: string
  suite?: { name: string; suite?: object }
}): string {
  return suite === undefined ? name : `${titleOf(suite as Parameters<typeof titleOf>[0])} > ${name}`
}
