import { randomBytes } from 'node:crypto'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/dev/free-port'
import { joinCluster } from '../../../server/cluster/join-cluster'
import type { Engine } from '../../support/bucket/engine'
import { fillHost } from '../library/full-host'
import { findBuilds, startHost, type Build, type Host } from '../support/host'
import { anAccount } from '../transfers/slipway'

const RECORDS = 1000
const [SMALL, LARGE] = [10 * 1024, 2 * 1024 * 1024]
/** A visitor from outside, as a proxy names them: only those are redirected to a bucket. */
export const OUTSIDE = { 'x-forwarded-for': '8.8.0.1' }

/** A host alone, and a cluster with the same content. */
export interface BenchHosts {
  build: Build
  alone: Host
  /** The first is the writer. */
  three: readonly [Host, Host, Host]
  /** Of an account that all know. */
  key: string
  /** The paths of public files; the large one has copies in the bucket. */
  small: string
  large: string
  /** The options of one more host of the cluster. */
  another: () => Promise<string[]>
  stop: () => Promise<void>
}

/** `dir`: an empty folder. */
export async function startBenchHosts(dir: string, engine: string, store: Engine): Promise<BenchHosts> {
  const [build] = await findBuilds()
  const [one, shared] = [join(dir, 'alone'), join(dir, 'shared')]
  const content = await fill(build, one)
  await cp(one, shared, { recursive: true })
  await joinCluster(shared, engine)
  const secret = randomBytes(24).toString('hex')
  const member = async (host: string) => {
    const file = join(dir, `${host}.json`)
    const address = `127.0.0.1:${await freePort()}`
    await writeFile(file, JSON.stringify({ engine, host, secret, address }), { mode: 0o600 })
    return ['--data', shared, '--cluster', file]
  }
  const alone = await startHost(build, one, { args: await mirrorTo(dir, store, 'alone') })
  const mirror = await mirrorTo(dir, store, 'three')
  const begin = async (name: string) => startHost(build, shared, { args: [...mirror, ...(await member(name))] })
  const three = [await begin('host-a'), await begin('host-b'), await begin('host-c')] as const
  for (const { url } of [alone, ...three]) await untilRedirected(url + content.large)
  const another = () => member('host-d')
  const stop = async () => {
    for (const host of [...three.toReversed(), alone]) await host.stop()
  }
  return { build, alone, three, ...content, another, stop }
}

/** A data folder with records, an account and two public files. */
async function fill(build: Build, data: string): Promise<Pick<BenchHosts, 'key' | 'small' | 'large'>> {
  await fillHost(data, RECORDS, RECORDS)
  const host = await startHost(build, data)
  const { key } = await anAccount(host.url, undefined, 'user0')
  const upload = async (size: number) => {
    const request = { method: 'PUT', headers: { 'x-api-key': key }, body: randomBytes(size) }
    const reply = await fetch(`${host.url}/api/files/upload/build.bin?is_public=true`, request)
    return `/api/files/${((await reply.json()) as { file_id: string }).file_id}/download`
  }
  const [small, large] = [await upload(SMALL), await upload(LARGE)]
  await host.stop()
  return { key, small, large }
}

/** The options by which a host sends visitors to copies in a bucket. */
async function mirrorTo(dir: string, store: Engine, name: string): Promise<string[]> {
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = store.keys
  const file = join(dir, `${name}-bucket.json`)
  const choice = { ...(await store.makeBucket()), access_key_id, secret_access_key, least_bytes: LARGE }
  await writeFile(file, JSON.stringify(choice), { mode: 0o600 })
  return ['--mirror-config', file, '--trust-proxy', '127.0.0.1']
}

async function untilRedirected(url: string): Promise<void> {
  for (;;) {
    const { status, body } = await fetch(url, { headers: OUTSIDE, redirect: 'manual' })
    await body?.cancel()
    if (status === 302) return
    await pause(200)
  }
}
