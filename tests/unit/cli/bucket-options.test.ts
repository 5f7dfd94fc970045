import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as base } from 'vitest'
import { bucketFrom } from '../../../server/cli/bucket-options'
import { tempDir } from '../../support/system/temp-dir'

const least = {
  ...{ endpoint: 'https://s3.example/', bucket: 'builds' },
  ...{ access_key_id: 'GK31', secret_access_key: 'b4c0ffee' },
}

const test = base.extend<{ path: string; read: (content: unknown) => Promise<unknown> }>({
  path: async ({ task: _ }, use) => use(join(await tempDir(), 'bucket.json')),
  read: async ({ path }, use) =>
    use(async (content) => {
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), {
        mode: 0o600,
      })
      return bucketFrom({ 'bucket-config': path }).bucket
    }),
})

test('without the option, the settings decide', () => {
  expect(bucketFrom({})).toEqual({})
})

test('the option still has its name of version 1.0', async ({ read, path }) => {
  expect(await read(least)).toEqual(bucketFrom({ 'mirror-config': path }).bucket)
})

test('a file with the four necessary settings has the usual others', async ({ read }) => {
  expect(await read(least)).toEqual({
    ...{
      use: 'on',
      endpoint: 'https://s3.example',
      bucket: 'builds',
      region: 'auto',
      prefix: 'slipway/',
    },
    ...{ path_style: true, least_bytes: 8 * 1024 * 1024, seconds: 3600, bytes_per_second: null },
    keys: { accessKeyId: 'GK31', secretAccessKey: 'b4c0ffee' },
  })
  expect(await read({ ...least, path_style: false, seconds: 300 })).toMatchObject({
    path_style: false,
    seconds: 300,
  })
})

test.for([
  ['', 'it must contain one JSON object'],
  ['[]', 'it must contain one JSON object'],
  [`{ "secret_access_key": "b4c0ffee" `, 'it must contain one JSON object'],
  [
    {},
    'endpoint is missing; bucket is missing; access_key_id is missing; secret_access_key is missing',
  ],
  [
    { ...least, endpoint: 'https://me:b4c0ffee@s3.example' },
    'endpoint: Leave user name and password out',
  ],
  [{ ...least, endpoint: 'http://s3.example' }, 'endpoint: Use https'],
  [{ ...least, bucket: 'B' }, 'bucket: Enter the name of the bucket'],
  [{ ...least, seconds: '300' }, 'seconds: Enter a whole number'],
  [{ ...least, secret: 'b4c0ffee' }, 'there is no setting secret'],
  [{ ...least, secret_access_key: 'b4c0ffee two' }, 'secret_access_key: Enter the key'],
] as const)(
  'refuses %j with words, and never quotes the file',
  async ([content, words], { read, path }) => {
    const error = await read(content).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      message: expect.stringContaining(`--bucket-config ${path}`) as string,
    })
    expect(error).toMatchObject({ message: expect.stringContaining(words) as string })
    expect(String(error)).not.toContain('b4c0ffee')
  },
)
