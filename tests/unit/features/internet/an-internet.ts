import { onTestFinished } from 'vitest'
import { realDisk, type Disk } from '../../../../server/core/durable-file'
import { settingsSchema } from '../../../../server/data/settings/settings-schema'
import { Connections } from '../../../../server/http/listen/connections'
import { OutsideDoor } from '../../../../server/http/listen/outside-door'
import { usualPatience } from '../../../../server/http/listen/patience'
import { Internet } from '../../../../server/features/internet/internet'
import type { InternetDeps, OpeningSettings } from '../../../../server/features/internet/needs'
import type { OpenRequest } from '../../../../server/features/internet/open-request'
import { PublicCertificate } from '../../../../server/network/tls/public-certificate'
import { Tunnel } from '../../../../server/libraries/ssh-tunnel/tunnel'
import { refuse, SmallAuthority } from '../../../support/internet/small-authority'
import { aStunServer, bindingResponse } from '../../../support/internet/stun-server'
import { TestClock } from '../../../support/world/test-clock'
import { TestLog } from '../../../support/world/test-log'
import { tempDir } from '../../../support/system/temp-dir'
import { TableRouter } from './table-router'

export const OUTER = '11.77.0.10'
export const VISITOR = '11.77.0.50'

export const ROUTER_REQUEST = {
  way: 'router',
  terms_accepted: true,
  keep_registration_open: false,
} as const

/**
 * Everything around one host: its network, the internet that observes it, an authority, and a data
 * folder.
 */
export class World {
  readonly clock = new TestClock()
  readonly router = new TableRouter(this.clock)
  /** Other routers than these; undefined: none. */
  access: InternetDeps['routers'] | undefined
  /** The protocols that answer. */
  routers = [this.router]
  /** The place in the network; undefined: no network. */
  place: { gateway: string; own: string } | undefined = {
    gateway: '192.168.77.1',
    own: '127.0.0.1',
  }
  /**
   * The router's way through its IPv6 firewall, and the place there; undefined: no global address.
   */
  readonly pinholes = new TableRouter(this.clock)
  place6: { gateway: string; own: string } | undefined
  /** The source address of the default route. */
  source: string | undefined = '127.0.0.1'
  /** The address that the STUN server observes; undefined: it is silent. */
  observed: string | undefined = OUTER
  /** How often the network was searched for routers. */
  searches = 0
  /** What the name of the host leads to. */
  named: { ip4: string | null; ip6: string | null } | undefined
  blockers: ReturnType<InternetDeps['blockers']> = []
  settings!: OpeningSettings
  /** What was written to the settings, in order. */
  saved: Partial<OpeningSettings>[] = []
  disk: Disk = realDisk
  stunAsked!: () => number
  /** Most routers do not lead their own house back in. */
  ask: InternetDeps['ask'] = () => Promise.resolve('unanswered')
  #news = new Set<(news: { router: string; epoch: number }) => void>()

  private constructor(
    readonly dataDir: string,
    readonly authority: SmallAuthority,
  ) {
    authority.now = () => this.clock.now()
  }

  static async open(): Promise<World> {
    const authority = await new SmallAuthority().open()
    onTestFinished(() => authority.close())
    const world = new World(await tempDir(), authority)
    const stun = await aStunServer((it) => {
      const bytes = world.observed?.split('.').map(Number)
      return bytes && bindingResponse(bytes, it)
    })
    world.stunAsked = stun.asked
    world.settings = settingsSchema.parse({
      acme_directory: authority.directory,
      stun_server: stun.server,
    })
    return world
  }

  /** A router tells everyone that it has started so long ago, in s. */
  announce(epoch = this.router.epoch, router = this.router.address): void {
    for (const listener of this.#news) listener({ router, epoch })
  }

  /** The authority cannot connect to the outside door. */
  blockAuthority(): void {
    this.authority.answers['/challenge'] = (_request, response) =>
      refuse(response, 'connection', `${OUTER}: Connection refused`)
  }

  /** A new process on the data folder. The one before is not stopped, as after `kill -9`. */
  async host(): Promise<{ internet: Internet; door: OutsideDoor }> {
    const common = { dataDir: this.dataDir, disk: this.disk, log: new TestLog(), clock: this.clock }
    const door = aDoor()
    this.#news.clear()
    const certificate = new PublicCertificate({ ...common, door })
    const tunnel = new Tunnel({ ...common, enter: (stream, address) => door.take(stream, address) })
    const internet = new Internet({ ...common, door, certificate, tunnel, ...this.#surroundings() })
    onTestFinished(async () => {
      await internet.stop()
      await door.close(0)
    })
    await internet.start()
    return { internet, door }
  }

  /** A host that was opened through the router, and how that ended. */
  async opened(request: Partial<OpenRequest> = {}) {
    const host = await this.host()
    await host.internet.open({ ...ROUTER_REQUEST, ...request })
    return { ...host, view: await settled(host.internet) }
  }

  /** How many certificates were ordered. */
  get orders(): number {
    return this.authority.received.filter(({ path, payload }) => path === '/order' && payload)
      .length
  }

  #surroundings(): Omit<
    InternetDeps,
    'dataDir' | 'disk' | 'log' | 'clock' | 'door' | 'certificate' | 'tunnel'
  > {
    return {
      routers: this.access ?? {
        place: () => Promise.resolve(this.place),
        find: () => {
          this.searches += 1
          return Promise.resolve(this.routers)
        },
        of: (mapping) => (mapping.client.includes(':') ? this.pinholes : this.router),
        pinholes: {
          place: () => Promise.resolve(this.place6),
          find: () => Promise.resolve([this.pinholes]),
        },
        announcements: {
          listen: () => Promise.resolve(),
          close: () => undefined,
          onNews: (listener) => this.#news.add(listener),
        },
      },
      name: {
        look: (addresses) => {
          this.named = addresses
          return Promise.resolve()
        },
      },
      settings: () => this.settings,
      save: (change) => {
        this.saved.push(change)
        this.settings = { ...this.settings, ...change }
        return Promise.resolve()
      },
      blockers: () => this.blockers,
      onRegistration: () => undefined,
      ask: (origin) => this.ask(origin),
      source: () => Promise.resolve(this.source),
      authorizedKey: () => Promise.resolve('restrict ssh-ed25519 AAAA slipway'),
      otherTunnels: () => Promise.resolve([]),
    }
  }
}

function aDoor(): OutsideDoor {
  const connections = new Connections({
    most: 100,
    perAddress: () => undefined,
    isProxy: () => false,
    windowSecret: null,
    log: new TestLog(),
  })
  return new OutsideDoor(() => (_request, response) => response.end('ahoy'), {
    connections,
    patience: usualPatience,
  })
}

/** A promise that the test resolves. */
export function gate() {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}

/** Waits until nothing is being opened, and returns the view. */
export async function settled(internet: Internet): Promise<ReturnType<Internet['view']>> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (['opening', 'checking'].includes(internet.view().state)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = internet.onChange(look)
    look()
  })
  return internet.view()
}
