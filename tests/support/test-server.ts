import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, inject, test as base } from 'vitest'
import { createClient, type Client } from '../../renderer/lib/client/api-client'
import type { UserRecord } from '../../server/features/accounts/user-store'
import { WINDOW_HEADER } from '../../server/contract/desktop'
import { startServer, type RunningServer, type ServerConfig } from '../../server/index'
import type { RouterAccess } from '../../server/network/internet/needs'
import { Browser } from './system/browser'
import { noNetwork } from './network/small-routers'
import { PASSWORD } from './password'
import { sharedReader } from './system/shared-reader'
import { TestLog } from './test-log'
import { TestClock } from './test-clock'

export const WINDOW_SECRET = 'the secret of the app window'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cost of a password hash in this suite; undefined: the real one. */
    passwordCost: number | undefined
  }
}

/** A signed-in user. */
interface Person {
  client: Client
  browser: Browser
}

/** A server for one test, on its own data folder, and its users over real HTTP. */
export class TestServer {
  readonly #keys = new Map<string, Promise<string>>()
  #closing: Promise<void> | undefined

  constructor(
    private readonly running: RunningServer,
    readonly dataDir: string,
    readonly clock: TestClock,
    readonly log: TestLog,
    private readonly door: { url?: string; ask: typeof fetch } = { ask: fetch },
  ) {}

  get url(): string {
    return this.door.url ?? this.running.url
  }

  /** The same server, for people who reach it at this address in their own way. */
  through(url: string, ask: typeof fetch): TestServer {
    return new TestServer(this.running, this.dataDir, this.clock, this.log, { url, ask })
  }

  get port(): number {
    return this.running.bound().port
  }

  /** A new setup link; undefined: there is a host account. */
  setupUrl(): string | undefined {
    return this.running.setupUrl()
  }

  get context(): RunningServer['context'] {
    return this.running.context
  }

  /** Fetches a path without any credentials. */
  fetch = (path: string, init?: RequestInit): Promise<Response> => this.door.ask(this.url + path, init)

  /** The typed client, without any credentials. */
  visitor(): Client {
    return createClient(this.url, { fetch: this.door.ask })
  }

  /** The typed client with an API key of this user. */
  as(user: UserRecord): Client {
    return createClient(this.url, { fetch: this.fetchAs(user) })
  }

  /** Fetches a path (or a whole address) with an API key of this user. */
  fetchAs(user: UserRecord) {
    return async (to: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers)
      headers.set('x-api-key', await this.keyOf(user))
      return this.door.ask(new URL(to instanceof Request ? to.url : to, this.url), { ...init, headers })
    }
  }

  /** An API key of this user; always the same one. */
  keyOf(user: UserRecord): Promise<string> {
    const made =
      this.#keys.get(user.id) ?? this.context.accounts.apiKeys.create(user.id, 'tests', null).then(({ key }) => key)
    this.#keys.set(user.id, made)
    return made
  }

  /** The typed client and the browser of a signed-in user. */
  signedIn(user: UserRecord): Promise<Person> {
    return this.#signIn(user, new Browser(this.url, {}, this.door.ask))
  }

  /** The same at the app window of the machine. */
  atWindow(user: UserRecord): Promise<Person> {
    return this.#signIn(user, new Browser(this.url, { [WINDOW_HEADER]: WINDOW_SECRET }, this.door.ask))
  }

  listen(host: string, port: number): Promise<unknown> {
    return this.running.listen(host, port)
  }

  /** May be called more than once. */
  close(): Promise<void> {
    this.#closing ??= this.running.close()
    return this.#closing
  }

  async #signIn(user: UserRecord, browser: Browser): Promise<Person> {
    const client = createClient(this.url, { fetch: browser.fetch })
    await client.accounts.login({ username: user.username, password: PASSWORD })
    return { client, browser }
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
}

/** `test` with a server of its own: the real pipeline on a real folder, a clock that the test moves, a quiet log. */
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
  server: async ({ config, settings, clock, log, folder, routers }, use) => {
    const dataDir = join(folder, 'data')
    const uiDir = await anUi(folder)
    await mkdir(dataDir, { mode: 0o700 })
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
    const here = { dataDir, uiDir, host: '127.0.0.1', port: 0 }
    const standard = {
      version: '1.2.3',
      windowSecret: WINDOW_SECRET,
      rateLimits: false,
      checkReplies: true,
      passwordCost: inject('passwordCost'),
    }
    const packages = config.packageReader ? undefined : sharedReader
    const running = await startServer({ ...here, ...standard, ...config }, { sources: clock, log, packages, routers })
    const server = new TestServer(running, dataDir, clock, log)
    await use(server)
    await server.close()
  },
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

/** A UI as small as can be: the two pages, a hashed asset and an icon. */
async function anUi(folder: string): Promise<string> {
  const uiDir = join(folder, 'ui')
  await mkdir(join(uiDir, 'assets'), { recursive: true })
  await writeFile(join(uiDir, 'index.html'), pageWith('main'))
  await writeFile(join(uiDir, 'visitor.html'), pageWith('visitor'))
  const script = 'console.log("slipway")\n'.repeat(100)
  await writeFile(join(uiDir, 'assets', 'main-abc123.js'), script)
  await writeFile(join(uiDir, 'assets', 'main-abc123.js.br'), brotliCompressSync(script))
  await writeFile(join(uiDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return uiDir
}
