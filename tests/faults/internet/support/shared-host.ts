import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { InternetView } from '../../../../server/contract'
import type { Home } from '../../../support/internet/home'
import type { Pebble } from '../../../support/internet/pebble'
import { PASSWORD } from '../../../support/world/password'
import { run } from '../../../support/system/debian'
import { curlOn, type Curl } from '../../../support/network/curl'
import { Host, manageToken, until } from '../../../support/world/process'

interface World {
  home: Home
  pebble: Pebble
  stun: { host: string; port: number }
  /** A folder of the test. */
  dir: string
}

const OWNER = { username: 'maya', email: 'maya@example.com', password: PASSWORD }
/** Ask again until the state is one of these no longer. */
const PASSING = ['checking', 'opening']

/**
 * Slipway as a program on the host of the lab, and its host account, which manages it from there.
 */
export class SharedHost {
  readonly curl: Curl

  private constructor(
    readonly program: Host,
    private readonly world: World,
  ) {
    this.curl = curlOn(world.home.host.enter)
  }

  /** Starts it on the data folder of the test; it creates the host account at the first start. */
  static start(world: World, ...also: string[]): Promise<SharedHost> {
    return SharedHost.startUnder([], world, ...also)
  }

  /** The same after these words, for example of a clock that a test moves. */
  static async startUnder(
    words: readonly string[],
    world: World,
    ...also: string[]
  ): Promise<SharedHost> {
    const { home, pebble, stun, dir } = world
    const data = join(dir, 'data')
    await mkdir(data, { mode: 0o700, recursive: true })
    const under = [...home.host.enter, 'env', `NODE_EXTRA_CA_CERTS=${pebble.caFile}`, ...words]
    const outside = [
      '--acme-directory',
      pebble.directory,
      '--stun',
      `${stun.host}:${stun.port}`,
      '--password-cost',
      '4',
    ]
    const program = await Host.start(data, { under, also: [...outside, ...also], limited: true })
    const host = new SharedHost(program, world)
    if (program.setup !== undefined)
      await host.#post('/api/auth/register', { ...OWNER, setup: program.setup })
    await host.#post('/api/auth/login', OWNER)
    await host.#post('/api/host/manage', { link: await manageToken(data, [...home.host.enter]) })
    return host
  }

  async view(): Promise<InternetView> {
    return internetIn(await this.curl(...this.#cookies, `${this.program.url}/api/host/internet`))
  }

  /** Opens it through the router, and returns how that ended. */
  async open(port = 443): Promise<InternetView> {
    await this.#post('/api/host/internet/open', { way: 'router', terms_accepted: true, port })
    return this.settled()
  }

  async close(): Promise<InternetView> {
    return internetIn(await this.#post('/api/host/internet/close', {}))
  }

  /** The view once it is no longer opening or checking. */
  async settled(): Promise<InternetView> {
    let view = await this.view()
    await until(async () => {
      view = await this.view()
      return !PASSING.includes(view.state)
    })
    return view
  }

  /** An API key of the host account. */
  async apiKey(): Promise<string> {
    return (
      JSON.parse(await this.#post('/api/auth/api-keys', { name: 'CI' })) as { api_key: string }
    ).api_key
  }

  get #cookies(): string[] {
    const jar = join(this.world.dir, 'jar')
    return ['-b', jar, '-c', jar, '-H', `Origin: ${this.program.url}`]
  }

  #post(path: string, body: object): Promise<string> {
    const json = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]
    return this.curl(...this.#cookies, ...json, this.program.url + path)
  }
}

const internetIn = (reply: string): InternetView =>
  (JSON.parse(reply) as { internet: InternetView }).internet

/**
 * Whether a visitor outside gets a reply over HTTPS within a second, with the certificate verified.
 */
export async function isReached(
  { home, dir }: Pick<World, 'home' | 'dir'>,
  url: string,
): Promise<boolean> {
  const args = [
    'curl',
    '-gsS',
    '--max-time',
    '1',
    '--cacert',
    join(dir, 'root.pem'),
    '-o',
    '/dev/null',
    url,
  ]
  return run('env', [...home.visitor.enter, ...args]).then(
    () => true,
    () => false,
  )
}
