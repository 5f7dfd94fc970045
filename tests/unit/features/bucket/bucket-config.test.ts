import { expect, test as base } from 'vitest'
import { openBlobBucket } from '../../../../server/cluster/blob-bucket'
import { PrimaryBlobs } from '../../../../server/cluster/blobs/primary-blobs'
import { loadSecrets } from '../../../../server/data/settings/secrets'
import { Settings } from '../../../../server/data/settings/settings'
import { bucketSchema } from '../../../../server/data/settings/settings-schema'
import {
  BucketConfig,
  type ConfiguredBucket,
} from '../../../../server/features/bucket/bucket-config'
import { diskError, RehearsalDisk } from '../../data/library/rehearsal-disk'
import { tempDir } from '../../../support/system/temp-dir'

const { use: _, ...bucket } = bucketSchema.parse({
  endpoint: 'https://s3.example',
  bucket: 'builds',
})
const keys = { accessKeyId: 'GK31', secretAccessKey: 'b4c0ffee' }

async function aHost(override?: ConfiguredBucket, dataDir?: string) {
  const dir = dataDir ?? (await tempDir())
  const disk = new RehearsalDisk()
  const [settings, secrets] = [await Settings.open(dir, disk), await loadSecrets(dir)]
  const config = new BucketConfig({ dataDir: dir, disk, settings, secrets, override })
  const told: unknown[] = []
  config.onChange(() => told.push(config.get()))
  return { config, settings, secrets, disk, dir, told }
}

const test = base.extend<{ host: Awaited<ReturnType<typeof aHost>> }>({
  host: async ({}, use) => use(await aHost()),
})

test('never gives the keys of one endpoint to another', async ({ host: { config, settings } }) => {
  await config.setUp(bucket, keys)
  for (const endpoint of ['https://evil.example', 'http://s3.example', 'https://s3.example:8443']) {
    await expect(config.setUp({ ...bucket, endpoint }, undefined)).rejects.toThrow(
      'Enter the keys again',
    )
    expect(() => config.requireKeys(endpoint, undefined)).toThrow('Enter the keys again')
    // A person may edit the file by hand.
    await settings.update({ mirror: { ...bucket, endpoint, use: 'on' } })
    expect(config.get()).toMatchObject({ endpoint, keys: undefined })
  }
})

test('copies get no place among the only copies of the builds of a cluster', async ({ host }) => {
  const blobBucket = await openBlobBucket(bucket, keys)
  const { dir: dataDir, disk, settings, secrets } = host
  const { requireApart } = new PrimaryBlobs(blobBucket)
  const config = new BucketConfig({ dataDir, disk, settings, secrets, requireApart })
  for (const prefix of ['slipway/blobs/', 'slipway/uploads/copies/', 'slipway/orphans/'])
    await expect(config.setUp({ ...bucket, prefix }, keys)).rejects.toThrow('Choose another prefix')
  expect(settings.get().mirror).toBeNull()
  for (const place of [
    { prefix: 'slipway/' },
    { prefix: 'slipway/copies/' },
    { bucket: 'others', prefix: 'slipway/blobs/' },
  ])
    await config.setUp({ ...bucket, ...place }, keys)
  blobBucket.session.close()
})

test('a full disk changes nothing', async ({ host: { config, disk, told } }) => {
  await config.setUp(bucket, keys)
  disk.before = () => {
    throw diskError('ENOSPC')
  }
  await expect(config.setUp({ ...bucket, bucket: 'others' }, keys)).rejects.toThrow('ENOSPC')
  expect(config.get()).toEqual({ ...bucket, use: 'on', keys })
  expect(told).toHaveLength(1)
})

test('changes at the same time end with the last one, whole', async ({ host: { config } }) => {
  const other = { accessKeyId: 'GK32', secretAccessKey: 'decafbad' }
  await Promise.all([
    config.setUp(bucket, keys),
    config.setUp({ ...bucket, endpoint: 'https://other.example' }, other),
    config.setUp(bucket, keys),
    config.setUp({ ...bucket, endpoint: 'https://other.example' }, other),
  ])
  expect(config.get()).toMatchObject({ endpoint: 'https://other.example', keys: other })
})

test('a reader of a cluster learns of the bucket and of its keys', async ({
  host: { config, dir },
}) => {
  const reader = await aHost(undefined, dir)
  await config.setUp(bucket, keys)
  await reader.settings.reread()
  await reader.config.rereadKeys()
  expect(reader.told.at(-1)).toEqual({ ...bucket, use: 'on', keys })
})

test('the file of the command line decides for this run, and nothing is stored', async () => {
  const { config, settings, secrets } = await aHost({ ...bucket, use: 'on', keys })
  expect(config.isOverridden).toBe(true)
  expect(config.get()).toMatchObject({ bucket: 'builds', keys })
  expect(config.requireKeys(bucket.endpoint, undefined)).toEqual(keys)
  expect(() => config.requireKeys('https://evil.example', undefined)).toThrow('Enter')
  await expect(config.setUp(bucket, keys)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(config.setUp(bucket, keys)).rejects.toThrow('--bucket-config')
  await config.switchOff('removing')
  expect(config.get()).toMatchObject({ use: 'removing', keys })
  expect([settings.get().mirror, secrets.mirrorKeys]).toEqual([null, undefined])
})
