import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import type { BucketView } from '../../../server/contract'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import {
  aBucket,
  addressed,
  addressOf,
  anOwner,
  contentsOf,
  MIB,
  sha256Of,
  type StoredChoice,
} from '../../support/bucket/copied-files'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noPostgres, sharedPostgres, withPostgres } from '../../support/cluster/postgres'
import { aProject } from '../../support/world/factories'
import { test } from '../../support/bucket/copying-host'
import { slipway } from '../../support/world/process'
import type { TestServer } from '../../support/world/test-server'
import { upload } from '../../support/world/upload'
import { clientAt, fetchAt } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** A host that copies to a new bucket, and an account with files. */
async function aCopyingHost(server: TestServer) {
  const owned = await anOwner(server)
  const choice = await aBucket(engine)
  const { publicCopies } = server.inside
  await publicCopies.setUp(choice, engine.keys)
  /** A public file whose copy is whole, and the address that a visitor has got. */
  const copied = async (size = 2 * MIB) => {
    const file = await owned.file(size)
    await expect.poll(() => publicCopies.view().state).toBe('complete')
    return { file, address: await addressed(server, file) }
  }
  return { ...owned, choice, publicCopies, copied, client: server.as(owned.owner) }
}

/** Of one that the store did: one that it refused for the moment is tried again. */
const isDeletionOf = (blobId: string) => (line: string) =>
  line.includes('"uri":"DELETE') && line.includes('"http_status":"204"') && line.includes(blobId)

const statusOf = async (address: string) => (await fetch(address)).status

describe.skipIf(noEngine)(withEngine('withdrawing copies'), () => {
  test('a file made private, trashed or withdrawn leaves the bucket at once by one request', async ({
    server,
  }) => {
    const { owner, client, choice, publicCopies, copied } = await aCopyingHost(server)
    const { project_id: id } = await aProject(server, owner, { is_public: true })
    const takes = [
      (file_id: string) => client.files.setVisibility({ id: file_id, is_public: false }),
      (file_id: string) => client.files.remove({ id: file_id }),
      async (file_id: string) => {
        await client.projects.link({ id, file_id, version: '1.0' })
        await client.releases.withdraw({ id, version: '1.0' })
      },
    ]
    for (const take of takes) {
      const { file, address } = await copied()
      expect(await statusOf(address)).toBe(200)
      await take(file.id)
      expect(await addressOf(server, file)).toBeUndefined()
      await expect.poll(() => statusOf(address)).toBe(404)
      const deletions = async () => (await engine.requests()).filter(isDeletionOf(file.blobId))
      await expect.poll(deletions).toHaveLength(1)
    }
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { wanted: 0, there: 0, revoking: 0 } })
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
  })

  test('no address is given from the moment of the change, before the disk has confirmed it', async ({
    server,
  }) => {
    const { copied } = await aCopyingHost(server)
    const { file } = await copied()
    const changing = server.inside.files.setVisibility(file.id, false)
    const asked = addressOf(server, file)

    expect(await asked).toBeUndefined()
    await changing
  })

  test('a file that becomes private while a part is on its way leaves nothing in the bucket', async ({
    server,
  }) => {
    const { file, owner } = await anOwner(server)
    const { publicCopies } = server.inside
    const choice = await aBucket(engine, { bytes_per_second: 12_000_000 })
    await publicCopies.setUp(choice, engine.keys)
    const it = await file(40 * MIB)
    await expect
      .poll(() => publicCopies.view().running[0]?.sent ?? 0)
      .toBeGreaterThanOrEqual(16 * MIB)
    await server.as(owner).files.setVisibility({ id: it.id, is_public: false })

    await expect.poll(() => publicCopies.view().running).toEqual([])
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { revoking: 0 } })
    expect(await contentsOf(engine, choice)).toEqual({ objects: [], uploads: 0 })
  })

  test('a file that is trashed and restored three times at once is whole', async ({ server }) => {
    const { client, choice, publicCopies, copied } = await aCopyingHost(server)
    const { file } = await copied(20 * MIB)
    for (let round = 0; round < 3; round++) {
      await client.files.remove({ id: file.id })
      await client.trash.restore({ id: file.id })
    }
    await expect
      .poll(() => publicCopies.view())
      .toMatchObject({ state: 'complete', copies: { there: 1, revoking: 0 } })

    expect(await contentsOf(engine, choice)).toEqual({ objects: [file.blobId], uploads: 0 })
    expect(await sha256Of(await fetch(await addressed(server, file)))).toBe(file.sha256)
  })
})

describe.skipIf(noEngine ?? noPostgres)(withEngine(withPostgres('copies of a cluster')), () => {
  test('a replica redirects by itself, and never once a file is private at another host', async () => {
    const postgres = await (await sharedPostgres()).makeDatabase()
    const hosts = await aClusterWithBucket(postgres, await aBucket(engine))
    const primary = await hosts.untilServing()
    const at = hosts.at(primary)
    const file = new File([randomBytes(2 * MIB)], 'rocket.bin')
    const { file_id: id } = await upload(fetchAt(at), file, { is_public: 'true' })
    const headers = { 'x-forwarded-for': '8.8.8.8' }
    let redirects = 0
    const askReader = async () => {
      const reply = await fetch(`${hosts.urls[1 - primary]}/api/files/${id}/download`, {
        headers,
        redirect: 'manual',
      })
      await reply.arrayBuffer()
      if (reply.status === 302) redirects++
      return reply
    }
    for (let round = 0; round < 2; round++) {
      await expect.poll(async () => (await askReader()).status).toBe(302)
      expect((await fetch((await askReader()).headers.get('location')!)).status).toBe(200)
      await clientAt(at).files.setVisibility({ id, is_public: false })
      expect((await askReader()).status).toBe(404)
      await clientAt(at).files.setVisibility({ id, is_public: true })
    }
    const counted = async () => {
      const { output } = await slipway(
        'bucket',
        'status',
        '--json',
        '--data',
        hosts.folder(names[primary]!),
      )
      return (JSON.parse(output) as BucketView).month.redirects
    }
    await expect.poll(counted).toBe(redirects)
  })
})

const names = ['host-a', 'host-b']

/** Two hosts that copy to this bucket, and that all answer. */
async function aClusterWithBucket(
  postgres: string,
  { endpoint, region, bucket, prefix, path_style }: StoredChoice,
) {
  const config = join(await tempDir(), 'bucket.json')
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = engine.keys
  const place = { endpoint, region, bucket, prefix, path_style, least_bytes: MIB }
  await writeFile(config, JSON.stringify({ ...place, access_key_id, secret_access_key }), {
    mode: 0o600,
  })
  const also = ['--trust-proxy', '127.0.0.1', '--bucket-config', config]
  const hosts = await ClusterHosts.start(postgres, names, [{ also }, { also }])
  onTestFinished(() => hosts.end())
  await hosts.untilAllServe()
  return hosts
}
