import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'

/** Nothing answers at its address. */
const bucket = { endpoint: 'http://127.0.0.1:9', bucket: 'builds' }
const keys = { access_key_id: 'GK31c2', secret_access_key: 'b4c0ffee+/=' }

describe('mirror.show', () => {
  test('is off at first', async ({ atWindow: { client } }) => {
    const { mirror } = await client.mirror.show({})
    expect(mirror).toMatchObject({
      state: 'off',
      problem: null,
      choice: null,
      keys_set: false,
      overridden: false,
    })
    expect(mirror.copies).toMatchObject({ there: 0, revoking: 0 })
    expect(mirror.month).toMatchObject({
      month: expect.stringMatching(/^\d{4}-\d\d$/) as string,
      redirects: 0,
    })
  })

  test('reports missing keys after a restored backup', async ({ server, atWindow: { client } }) => {
    const { settings } = server.inside
    await client.mirror.setUp({ ...bucket, ...keys })
    const chosen = settings.get().mirror!
    await client.mirror.switchOff({ copies: 'keep' })
    await settings.update({ mirror: chosen })
    const { mirror } = await client.mirror.show({})
    expect(mirror).toMatchObject({
      state: 'failing',
      problem: { kind: 'keys_missing' },
      keys_set: false,
    })
    await expect(client.mirror.setUp(bucket)).rejects.toMatchObject(
      refusal('invalid_input', 'access_key_id'),
    )
    expect((await client.mirror.setUp({ ...bucket, ...keys })).mirror.keys_set).toBe(true)
  })
})

describe('mirror.setUp', () => {
  test('keeps the choice, and shows the keys nowhere', async ({ server, atWindow }) => {
    const { client } = atWindow
    const { mirror } = await client.mirror.setUp({
      ...bucket,
      ...keys,
      seconds: 300,
      prefix: '/shed',
    })
    expect(mirror).toMatchObject({
      state: 'checking',
      keys_set: true,
      choice: { ...bucket, seconds: 300, prefix: 'shed/', region: 'auto' },
    })

    await client.mirror.setUp({
      ...bucket,
      bucket: 'others',
      access_key_id: 'GK32',
      secret_access_key: 'decafbad',
    })
    const { events } = await client.audit.list({})
    const told = events.map(({ kind, detail, username }) => [kind, detail, username])
    expect(told.slice(0, 2)).toEqual([
      [
        'mirror_change',
        'bucket: builds → others, prefix: shed/ → slipway/, seconds: 300 → 3600, keys: changed',
        'host',
      ],
      ['mirror_set_up', 'the bucket builds at http://127.0.0.1:9', 'host'],
    ])
    const settings = await readFile(join(server.dataDir, 'settings.json'), 'utf8')
    const everything = JSON.stringify([await client.mirror.show({}), events, settings])
    expect(everything).not.toMatch(/GK31c2|GK32|b4c0ffee|decafbad/)
    expect(await readFile(join(server.dataDir, 'secrets.json'), 'utf8')).toContain('decafbad')
  })

  test('refuses one key alone, and endpoints that encrypt nothing or are none', async ({
    atWindow: { client },
  }) => {
    const wrong = [
      ...[{ access_key_id: 'GK31' }, { secret_access_key: 'b4c0ffee' }].map((half) => ({
        ...bucket,
        ...half,
      })),
      ...['http://s3.example', 'http://203.0.113.7:9000', 'https://0.0.0.0'].map((endpoint) => ({
        ...bucket,
        ...keys,
        endpoint,
      })),
    ]
    for (const [index, choice] of wrong.entries()) {
      const refused = refusal(
        'invalid_input',
        ['secret_access_key', 'access_key_id'][index] ?? 'endpoint',
      )
      await expect(client.mirror.setUp(choice)).rejects.toMatchObject(refused)
      await expect(client.mirror.test(choice)).rejects.toMatchObject(refused)
    }
    expect((await client.mirror.show({})).mirror.choice).toBeNull()
  })

  test('refuses its own address, by each name', async ({ server, atWindow: { client } }) => {
    await client.settings.change({ public_url: 'https://builds.example' })
    const own = ['127.0.0.1', 'localhost', '127.0.0.2', '[::1]'].map(
      (name) => `http://${name}:${server.port}`,
    )
    for (const endpoint of [...own, 'https://builds.example', 'https://builds.example:443']) {
      const asking = client.mirror.setUp({ ...bucket, ...keys, endpoint })
      await expect(asking, endpoint).rejects.toThrow('This is the address of this host')
    }
  })
})

describe('mirror.test', () => {
  test('says which step failed and stores nothing', async ({ server, atWindow: { client } }) => {
    const { steps } = await client.mirror.test({ ...bucket, ...keys })
    expect(steps.map(({ step, state, problem }) => [step, state, problem])).toEqual([
      ['put', 'failed', 'unreachable'],
      ['read', 'skipped', null],
      ['head', 'skipped', null],
      ['delete', 'skipped', null],
    ])
    expect(server.inside.settings.get().mirror).toBeNull()
    expect(server.inside.secrets.mirrorKeys).toBeUndefined()
  })
})

describe('mirror.verify', () => {
  test('is refused while no bucket is set up', async ({ atWindow: { client } }) => {
    await expect(client.mirror.verify({})).rejects.toMatchObject(refusal('mirror_off'))
  })
})

describe('mirror.switchOff', () => {
  test('forgets the keys, keeps the choice, and is recorded once', async ({
    server,
    atWindow: { client },
  }) => {
    await client.mirror.setUp({ ...bucket, ...keys })
    const { mirror } = await client.mirror.switchOff({ copies: 'keep' })
    expect(mirror).toMatchObject({ state: 'off', keys_set: false, choice: bucket, problem: null })
    expect(await readFile(join(server.dataDir, 'secrets.json'), 'utf8')).not.toContain('b4c0ffee')
    await client.mirror.switchOff({ copies: 'delete' })
    const { events } = await client.audit.list({ kind: 'mirror_off' })
    expect(events.map(({ detail }) => detail)).toEqual(['copies: keep'])
  })
})

const copyOf = (
  file: { file_id: string; filename: string; size: number; sha256: string },
  blobId: string,
) => ({
  ...{
    blobId,
    fileId: file.file_id,
    filename: file.filename,
    size: file.size,
    sha256: file.sha256,
  },
})

test('the owner of a file sees its copy, and visitors and collaborators see none', async ({
  server,
  atWindow,
}) => {
  const owner = server.user('host')
  const file = await aFile(server, owner, { is_public: true })
  const { copies, files: store } = server.inside
  const { blobId } = store.find(file.file_id)!
  let count = 0
  const seen = async () => {
    const [own, visitors] = [atWindow.client, server.visitor()]
    expect((await visitors.files.info({ id: file.file_id })).file.mirror).toBeNull()
    expect(
      (await server.as(await aUser(server, `visitor${count++}`)).files.info({ id: file.file_id }))
        .file.mirror,
    ).toBeNull()
    return (await own.files.info({ id: file.file_id })).file.mirror
  }
  expect(await seen()).toBeNull()
  await copies.begin(copyOf(file, blobId), 'here')
  expect(await seen()).toBe('copying')
  await copies.finish(blobId, 'etag')
  expect(await seen()).toBe('there')
  await copies.revoke(blobId)
  expect(await seen()).toBe('revoking')
  await copies.recordFailure(blobId)
  expect(await seen()).toBe('late')
})
