import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { openHome, type Home } from '../../../support/internet/home'
import { Pebble } from '../../../support/internet/pebble'
import { isReached, SharedHost } from './shared-host'

/** The lab with a STUN server and an authority, for the tests of a file, and hosts in it. */
export class Lab {
  home!: Home
  stun!: { host: string; port: number }
  pebble!: Pebble
  /** Of the host. */
  dir = ''

  constructor() {
    beforeAll(async () => {
      this.home = await openHome()
      this.stun = await this.home.startStun()
      this.pebble = await Pebble.open({
        machine: this.home.server,
        namesLeadTo: this.home.router.outside,
      })
    })
    afterAll(async () => {
      await this.pebble.close()
      await this.home.close()
    })
  }

  /** A folder for a new host; returns what removes it. */
  async newFolder(): Promise<() => Promise<void>> {
    const dir = await mkdtemp(join(tmpdir(), 'slipway-anywhere-'))
    await writeFile(join(dir, 'root.pem'), await this.pebble.root())
    this.dir = dir
    return () => rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }

  start(...also: string[]): Promise<SharedHost> {
    return SharedHost.start(this, ...also)
  }

  /** A host that ends with the test. */
  started(...also: string[]): Promise<SharedHost> {
    return this.startedUnder([], ...also)
  }

  async startedUnder(words: readonly string[], ...also: string[]): Promise<SharedHost> {
    const host = await SharedHost.startUnder(words, this, ...also)
    onTestFinished(() => host.program.kill())
    return host
  }

  get origin(): string {
    return `https://${this.home.router.outside}`
  }

  /** Whether a visitor outside gets a reply. */
  readonly visit = (): Promise<boolean> => isReached(this, this.origin)

  /** What leads from outside to the host, in the rules of the router. */
  readonly waysIn = (): string[] =>
    this.home.namespaces
      .sh('router', 'nft list table inet filter')
      .split('\n')
      .filter((rule) => rule.includes(`dnat ip to ${this.home.host.address}`))
}
