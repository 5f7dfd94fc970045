import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { run, unpacked } from '../system/debian'
import { startOn } from './home-router'
import type { Machine } from './namespaces'
import { pairFor } from './small-authority'
import { freePorts } from '../../../scripts/dev/free-port'

interface Wanted {
  /** Where it runs. */
  machine?: Machine
  /** Where it connects to prove TLS-ALPN-01 and HTTP-01. */
  ports?: { tls: number; http: number }
  /** The address to which every name leads. */
  namesLeadTo?: string
}

const HERE: Machine = { address: '127.0.0.1', enter: [] }
/** Of its certificates. */
const SHORT_S = 160 * 3600
const PATIENCE_MS = 15_000
/** Of 100: clients have to bear that. */
const REFUSED_NONCES = 20

/** Let's Encrypt's Pebble: a certificate authority as a real program, with its own DNS server. */
export class Pebble {
  /**
   * The file with the certificate to trust its HTTPS by, for NODE_EXTRA_CA_CERTS; and that
   * certificate.
   */
  readonly caFile: string
  readonly ca: string
  readonly directory: string
  #ends: (() => Promise<void>)[] = []

  private constructor(
    private readonly folder: string,
    private readonly machine: Machine,
    private readonly ports: { acme: number; management: number; dns: number; tests: number },
    private readonly namesLeadTo: string,
    ca: string,
  ) {
    this.ca = ca
    this.caFile = join(folder, 'ca.pem')
    this.directory = `https://${machine.address}:${ports.acme}/dir`
  }

  static async open(wanted: Wanted = {}): Promise<Pebble> {
    const { machine = HERE, ports = { tls: 443, http: 80 }, namesLeadTo = '127.0.0.1' } = wanted
    // Those of a namespace are all free.
    const [acme, management, dns, tests] = (await freePorts(4)) as [number, number, number, number]
    const folder = await mkdtemp(join(tmpdir(), 'slipway-pebble-'))
    const { authority, pair } = pairFor(machine.address)
    const own = { acme, management, dns, tests }
    const pebble = new Pebble(folder, machine, own, namesLeadTo, authority.certificate)
    const at = (name: string) => join(folder, name)
    const config = {
      listenAddress: `${machine.address}:${acme}`,
      managementListenAddress: `${machine.address}:${management}`,
      certificate: at('own.pem'),
      privateKey: at('own.key'),
      httpPort: ports.http,
      tlsPort: ports.tls,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
      certificateValidityPeriod: SHORT_S,
    }
    await writeFile(pebble.caFile, authority.certificate)
    await writeFile(config.certificate, pair.certificate)
    await writeFile(config.privateKey, pair.key)
    await writeFile(at('config.json'), JSON.stringify({ pebble: config }))
    await pebble.#start()
    return pebble
  }

  async #start(): Promise<void> {
    const { pebble } = await unpacked('pebble')
    const dns = `${this.machine.address}:${this.ports.dns}`
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
    const management = ['-management', `${this.machine.address}:${this.ports.tests}`]
    const server = [
      pebble.file('usr/bin/pebble-challtestsrv'),
      '-dns01',
      dns,
      ...management,
      ...none,
    ]
    const habits = { PEBBLE_WFE_NONCEREJECT: String(REFUSED_NONCES), PEBBLE_AUTHZREUSE: '0' }
    const env = { ...pebble.env, ...habits, PEBBLE_VA_NOSLEEP: '1' }
    const config = ['-config', join(this.folder, 'config.json'), '-dnsserver', dns]
    const programs = [
      startOn(this.machine.enter, [...server, '-defaultIPv4', this.namesLeadTo], pebble),
      startOn(this.machine.enter, [pebble.file('usr/bin/pebble'), ...config], { env }),
    ]
    this.#ends = programs.map(({ process: program }) => async () => {
      if (program.exitCode !== null || program.signalCode !== null) return
      program.kill('SIGKILL')
      await once(program, 'exit')
    })
    const until = Date.now() + PATIENCE_MS
    while ((await this.#get(this.directory).catch(() => '')) === '') {
      if (Date.now() > until)
        throw new Error(`Pebble does not answer: ${programs.map(({ said }) => said()).join('\n')}`)
      await pause(50)
    }
  }

  /** The root of the certificates that it issues in this run. */
  root(): Promise<string> {
    return this.#get(`https://${this.machine.address}:${this.ports.management}/roots/0`)
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end()))
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** From its own machine. */
  async #get(url: string): Promise<string> {
    const { stdout } = await run('env', [
      ...this.machine.enter,
      'curl',
      '-sf',
      '--cacert',
      this.caFile,
      url,
    ])
    return stdout
  }
}
