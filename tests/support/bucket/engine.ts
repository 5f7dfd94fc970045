import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import type { BucketPlace, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import { run } from '../system/debian'
import { lastWill } from '../system/last-will'
import {
  endDaemon,
  isRunning,
  prepareCeph,
  startCluster,
  startDaemon,
  type Ceph,
  type Daemon,
} from './daemons'
import { freePorts } from '../../../scripts/dev/free-port'

/**
 * Why this machine has no object store for tests; undefined where it has. In CI it always has, or
 * tests fail.
 */
export const noEngine = cannotUnpack

/**
 * The name of a test or a group, with the reason where it is passed over:
 * `describe.skipIf(noEngine)(withEngine(…))`.
 */
export const withEngine = (name: string): string =>
  noEngine === undefined ? name : `${name} (not run: ${noEngine})`

const PATIENCE_MS = 60_000
const KEYS: BucketKeys = { accessKeyId: 'SLIPWAYTEST', secretAccessKey: 'slipway-test-secret' }

/**
 * A real S3-compatible object store: Ceph's RADOS gateway, unpacked from Debian, on loopback, with
 * its objects in memory.
 */
export interface Engine {
  /** `http://127.0.0.1:port`. */
  endpoint: string
  /** Of an account that may do everything. */
  keys: BucketKeys
  /** Other keys for the same buckets, which may only read. */
  readOnlyKeys: () => Promise<BucketKeys>
  /** A new, empty bucket. */
  makeBucket: () => Promise<BucketPlace>
  /** SIGKILL of the gateway: connections break, then are refused. Objects stay. */
  kill: () => Promise<void>
  /** Starts a killed gateway again, and waits until it answers. Does nothing to one that runs. */
  revive: () => Promise<void>
  /** SIGSTOP of the gateway: it accepts connections and stays silent. */
  pause: () => void
  resume: () => void
  /**
   * A JSON text for each answered request, with `http_status`, `uri` and, in `http_x_headers`,
   * those of Range, If-Range, X-API-Key, Authorization, Cookie and User-Agent that it had.
   */
  requests: () => Promise<string[]>
  close: () => Promise<void>
}

let shared: Promise<Engine> | undefined

/**
 * The engine of this worker, which works, whatever earlier tests have done to it. It ends with the
 * worker.
 *
 *     let engine: Engine
 *     beforeAll(async () => void (engine = await sharedEngine()))
 *     describe.skipIf(noEngine)(withEngine('copies'), () => … await engine.makeBucket() …)
 */
export async function sharedEngine(): Promise<Engine> {
  const engine = await (shared ??= startEngine())
  engine.resume()
  await engine.revive()
  return engine
}

/** Ready within 60 s. It ends with the process that has started it, and its folder too. */
export async function startEngine(): Promise<Engine> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-engine-'))
  const will = lastWill('sleep 1; rm -rf "$1"', dir)
  const started: Daemon[] = []
  const close = async () => {
    await Promise.all(started.map(endDaemon))
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    will.revoke()
  }
  try {
    // Of the gateway, and two of the monitor.
    const ports = await freePorts(3)
    const ceph = await prepareCeph(dir, ports)
    started.push(...(await startCluster(ceph, ports)))
    const gateway = new Gateway(ceph, `http://127.0.0.1:${ports[0]}`, (daemon) =>
      started.push(daemon),
    )
    await gateway.revive()
    const { accessKeyId, secretAccessKey } = KEYS
    await gateway.admin(
      'user',
      'create',
      '--display-name',
      'Slipway',
      ...keyWords(accessKeyId, secretAccessKey),
    )
    return { ...controlsOf(gateway), close }
  } catch (cause) {
    await close()
    throw cause
  }
}

const keyWords = (id: string, secret: string) => ['--access-key', id, '--secret-key', secret]

/** The part of the engine that speaks S3. */
class Gateway {
  #daemon: Daemon | undefined

  constructor(
    private readonly ceph: Ceph,
    readonly endpoint: string,
    private readonly started: (daemon: Daemon) => void,
  ) {}

  async revive(): Promise<void> {
    if (this.#daemon !== undefined && isRunning(this.#daemon)) return
    const daemon = startDaemon(this.ceph, 'radosgw', '-n', 'client.rgw')
    this.#daemon = daemon
    this.started(daemon)
    const until = Date.now() + PATIENCE_MS
    while (!(await answers(this.endpoint))) {
      if (daemon.process.exitCode !== null || Date.now() > until)
        throw new Error(
          `The engine does not answer: ${daemon.said()}${await this.file('client.rgw.log')}`,
        )
      await pause(50)
    }
  }

  async kill(): Promise<void> {
    if (this.#daemon !== undefined) await endDaemon(this.#daemon)
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#daemon?.process.kill(name)
  }

  async admin(...words: string[]): Promise<void> {
    await run(this.ceph.program('radosgw-admin'), [...words, '--uid', 'slipway'], {
      env: this.ceph.env,
    })
  }

  file(name: string): Promise<string> {
    return readFile(join(this.ceph.dir, 'log', name), 'utf8').catch(() => '')
  }
}

function controlsOf(gateway: Gateway): Omit<Engine, 'close'> {
  const { endpoint } = gateway
  return {
    endpoint,
    keys: KEYS,
    async readOnlyKeys() {
      const keys = { accessKeyId: name().toUpperCase(), secretAccessKey: name() }
      const words = ['--subuser', `slipway:${name()}`, '--access', 'read', '--key-type', 's3']
      await gateway.admin(
        'subuser',
        'create',
        ...words,
        ...keyWords(keys.accessKeyId, keys.secretAccessKey),
      )
      return keys
    },
    async makeBucket() {
      const choice = {
        endpoint,
        region: 'us-east-1',
        bucket: name(),
        prefix: 'slipway/',
        path_style: true,
      }
      const client = new S3Client({
        endpoint,
        region: choice.region,
        forcePathStyle: true,
        credentials: KEYS,
      })
      await client
        .send(new CreateBucketCommand({ Bucket: choice.bucket }))
        .finally(() => client.destroy())
      return choice
    },
    kill: () => gateway.kill(),
    revive: () => gateway.revive(),
    pause: () => gateway.signal('SIGSTOP'),
    resume: () => gateway.signal('SIGCONT'),
    requests: async () =>
      (await gateway.file('requests.jsonl')).split('\n').filter((line) => line !== ''),
  }
}

const name = () => `test-${randomBytes(6).toString('hex')}`

const answers = (endpoint: string) =>
  fetch(endpoint, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.ok,
    () => false,
  )
