import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { readClusterFile } from '../../../server/cluster/cluster-file'
import { engineError } from '../../../server/data/engine/engine-error'
import { tempDir } from '../../support/system/temp-dir'

const engine = 'postgresql://slipway:hidden@127.0.0.1/slipway'
const secret = 'hidden'.repeat(6)

const peer = { engine, host: 'a', secret, address: '10.0.0.5:4405' }
const place = { region: 'auto', prefix: 'slipway/', path_style: true }
const bucket = {
  ...{ endpoint: 'https://s3.example.com', bucket: 'builds' },
  ...{ access_key_id: 'hidden', secret_access_key: 'hidden' },
}

test('--cluster takes a private file, and says what is wrong with another', async () => {
  const dir = await tempDir()
  const path = join(dir, 'cluster.json')
  const wrong: [value: unknown, words: string][] = [
    ['no JSON', 'it must contain one JSON object'],
    [{ engine }, 'host is missing'],
    [{ engine, host: 'Host A' }, 'host takes a name of small letters'],
    [{ engine, host: 'a', folder: 1 }, 'there is no setting folder'],
    [{ engine: 'mysql://db/slipway', host: 'a' }, 'engine takes an address such as postgresql://'],
    [{ engine: 'postgresql://db', host: 'a' }, 'engine must end with the name of a database'],
    [
      { engine: 'postgresql://hidden@db/slipway', host: 'a' },
      'is on another computer: add ?sslmode=verify-full',
    ],
    [{ engine: `${engine}?sslmode=require`, host: 'a' }, 'engine takes sslmode=verify-full'],
    [
      { engine, host: 'a', secret },
      'secret needs an address, where the other hosts reach this one',
    ],
    [
      { engine, host: 'a', address: '10.0.0.5:4405' },
      'address needs a secret, the same at all hosts. Make one with: openssl',
    ],
    [
      { engine, host: 'a', secret: 'hidden', address: 'b:1' },
      'secret takes at least 32 characters, the same at all hosts',
    ],
    [{ ...peer, bucket: { ...bucket, endpoint: 'http://8.8.8.8' } }, 'bucket.endpoint: Use https'],
    [
      { ...peer, bucket: { ...bucket, bucket: 'B' } },
      'bucket.bucket: Enter the name of the bucket',
    ],
    [
      { ...peer, bucket: { ...bucket, secret_access_key: undefined } },
      'bucket.secret_access_key is missing',
    ],
    [{ ...peer, bucket: { ...bucket, acl: 1 } }, 'there is no setting bucket.acl'],
    [{ engine, host: 'a', bucket }, 'bucket needs a secret, the same at all hosts'],
    ...[
      '10.0.0.5',
      ':4405',
      '10.0.0.5:0',
      '10.0.0.5:65536',
      'fd00::5:4405',
      '[10.0.0.5]:1',
      'http://b:1',
      'b:1/',
    ].map((address): [unknown, string] => [
      { engine, host: 'a', secret, address },
      'address takes where the other hosts',
    ]),
  ]
  for (const [value, words] of wrong) {
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value), {
      mode: 0o600,
    })
    const error = await Promise.resolve()
      .then(() => readClusterFile(path))
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ message: expect.stringContaining(words) })
    expect((error as Error).message).not.toContain('hidden')
  }
  await writeFile(path, JSON.stringify({ engine, host: 'host-a' }))
  expect(readClusterFile(path)).toEqual({ engine, host: 'host-a' })
  for (const address of ['10.0.0.5:4405', 'host-a.example:1', '[fd00::5]:65535']) {
    await writeFile(path, JSON.stringify({ engine, host: 'host-a', secret, address }))
    expect(readClusterFile(path)).toEqual({ engine, host: 'host-a', secret, address })
  }
  await writeFile(path, JSON.stringify({ ...peer, bucket }))
  expect(readClusterFile(path)).toEqual({ ...peer, bucket: { ...bucket, ...place } })
  await chmod(path, 0o640)
  expect(() => readClusterFile(path)).toThrow(
    `--cluster ${path} contains a password, but other accounts can read it`,
  )
  expect(readClusterFile(path, { CREDENTIALS_DIRECTORY: dir }).host).toBe('a')
})

test('a host that pg_hba.conf leaves out learns that, though PostgreSQL speaks of SSL', () => {
  const words =
    'no pg_hba.conf entry for host "10.0.0.5", user "slipway", database "slipway", SSL encryption'
  const refused = Object.assign(new DatabaseError(words, 0, 'error'), { code: '28000' })
  expect(engineError(refused).message).toContain('Allow this host in its pg_hba.conf')
})
