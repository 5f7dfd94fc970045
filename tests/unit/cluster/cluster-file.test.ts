import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { readClusterFile } from '../../../server/cluster/cluster-file'
import { postgresError } from '../../../server/data/postgres/postgres-error'
import { tempDir } from '../../support/system/temp-dir'

const postgres = 'postgresql://slipway:hidden@127.0.0.1/slipway'
const secret = 'hidden'.repeat(6)

const place = { region: 'auto', prefix: 'slipway/', path_style: true }
const bucket = {
  ...{ endpoint: 'https://s3.example.com', bucket: 'builds' },
  ...{ access_key_id: 'hidden', secret_access_key: 'hidden' },
}
const whole = { postgres, host: 'a', secret, address: '10.0.0.5:4405', bucket }

test('--cluster takes a private file, and says what is wrong with another', async () => {
  const dir = await tempDir()
  const path = join(dir, 'cluster.json')
  const wrong: [value: unknown, words: string][] = [
    ['no JSON', 'it must contain one JSON object'],
    [{ ...whole, host: undefined }, 'host is missing'],
    [{ ...whole, host: 'Host A' }, 'host takes a name of small letters'],
    [{ ...whole, folder: 1 }, 'there is no setting folder'],
    [
      { ...whole, postgres: 'mysql://db/slipway' },
      'postgres takes an address such as postgresql://',
    ],
    [{ ...whole, postgres: 'postgresql://db' }, 'postgres must end with the name of a database'],
    [
      { ...whole, postgres: 'postgresql://hidden@db/slipway' },
      'is on another computer: add ?sslmode=verify-full',
    ],
    [{ ...whole, postgres: `${postgres}?sslmode=require` }, 'postgres takes sslmode=verify-full'],
    [{ ...whole, address: undefined }, 'address is missing'],
    [{ ...whole, secret: undefined }, 'secret is missing'],
    [{ ...whole, secret: 'hidden' }, 'secret takes at least 32 characters, the same at all hosts'],
    [{ postgres, host: 'a' }, 'bucket is missing. It takes {"postgres": "postgresql://…"'],
    [{ ...whole, bucket: { ...bucket, endpoint: 'http://8.8.8.8' } }, 'bucket.endpoint: Use https'],
    [
      { ...whole, bucket: { ...bucket, bucket: 'B' } },
      'bucket.bucket: Enter the name of the bucket',
    ],
    [
      { ...whole, bucket: { ...bucket, secret_access_key: undefined } },
      'bucket.secret_access_key is missing',
    ],
    [{ ...whole, bucket: { ...bucket, acl: 1 } }, 'there is no setting bucket.acl'],
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
      { ...whole, address },
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
  const read = { ...whole, bucket: { ...bucket, ...place } }
  for (const address of ['10.0.0.5:4405', 'host-a.example:1', '[fd00::5]:65535']) {
    await writeFile(path, JSON.stringify({ ...whole, address }))
    expect(readClusterFile(path)).toEqual({ ...read, address })
  }
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
  expect(postgresError(refused).message).toContain('Allow this host in its pg_hba.conf')
})
