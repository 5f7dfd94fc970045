import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  bucketChoiceSchema,
  bucketKeyFields,
  type BucketChoice,
} from '../../../server/contract/host/bucket'

const least = { endpoint: 'https://s3.example', bucket: 'builds' }

const problemOf = (schema: z.ZodType, value: unknown) => {
  const { path = [], message } = schema.safeParse(value).error?.issues[0] ?? {}
  return `${path.join('.')}: ${message}`
}

test('only the endpoint and the bucket have no default', () => {
  expect(bucketChoiceSchema.parse(least)).toEqual({
    ...least,
    region: 'auto',
    prefix: 'slipway/',
    path_style: true,
    least_bytes: 8 * 1024 * 1024,
    seconds: 3600,
    bytes_per_second: null,
  } satisfies BucketChoice)
})

test.each([
  ['endpoint', 'HTTPS://S3.Example:443/', 'https://s3.example'],
  ['endpoint', 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['endpoint', 'http://[::1]:9000/', 'http://[::1]:9000'],
  ['region', ' EU-Central-1 ', 'eu-central-1'],
  ['bucket', 'my.builds-2026', 'my.builds-2026'],
  ['prefix', '', ''],
  ['prefix', '/a/b', 'a/b/'],
  ['prefix', 'host_1.old/', 'host_1.old/'],
  ['least_bytes', 1024 * 1024, 1024 * 1024],
  ['seconds', 21_600, 21_600],
])('%s takes %j', (name, given, stored) => {
  expect(bucketChoiceSchema.parse({ ...least, [name]: given })).toMatchObject({ [name]: stored })
})

test.each([
  ['endpoint', 's3.example'],
  ['endpoint', 'ftp://s3.example'],
  ['endpoint', 'https://s3.example/storage/v1'],
  ['endpoint', 'https://s3.example?x=1'],
  ['endpoint', 'https://s3.example#x'],
  ['endpoint', 'https://s3.example\\x'],
  ['endpoint', 'https://s3.example:99999'],
  ['endpoint', 'https://'],
  ['endpoint', 'javascript:alert(1)'],
  ['endpoint', `https://${'a'.repeat(400)}`],
  ['region', ''],
  ['region', 'eu/central'],
  ['bucket', 'ab'],
  ['bucket', 'Builds'],
  ['bucket', 'my..builds'],
  ['bucket', '-builds'],
  ['bucket', 'builds/../other'],
  ['bucket', 'b'.repeat(64)],
  ['prefix', '../other/'],
  ['prefix', 'a/./b/'],
  ['prefix', 'a//b/'],
  ['prefix', 'a b/'],
  ['prefix', 'a?b/'],
  ['least_bytes', 1024],
  ['least_bytes', 1.5],
  ['least_bytes', '8388608'],
  ['seconds', 299],
  ['seconds', 21_601],
  ['bytes_per_second', 0],
  ['path_style', 'yes'],
])('%s refuses %j', (name, given) => {
  expect(problemOf(bucketChoiceSchema, { ...least, [name]: given })).toMatch(
    new RegExp(`^${name}: `),
  )
})

test('an endpoint with a password names the right fields and does not repeat it', () => {
  const problem = problemOf(bucketChoiceSchema, {
    ...least,
    endpoint: 'https://me:s3cret@s3.example',
  })
  expect(problem).toContain('the keys have their own fields')
  expect(problem).not.toContain('s3cret')
})

test('keys lose the spaces around them, and refuse others', () => {
  const keys = z.object(bucketKeyFields)
  const given = { access_key_id: ' GK31 ', secret_access_key: 'b4/c0+ffee=\n' }
  expect(keys.parse(given)).toEqual({ access_key_id: 'GK31', secret_access_key: 'b4/c0+ffee=' })
  for (const wrong of ['', ' ', 'two words', 'tab\there', 'ключ', 'x'.repeat(300), 7, null])
    expect(keys.safeParse({ ...given, secret_access_key: wrong }).success).toBe(false)
})
