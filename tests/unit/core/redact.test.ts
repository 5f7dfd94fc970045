import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { redactField, redactText } from '../../../server/core/logging/redact'

const secret = () => randomBytes(32).toString('base64url')
const written = (fields: object) => JSON.stringify(fields, redactField)

const hex = (text: string) => Buffer.from(text.slice(0, 22)).toString('hex')

const carriers: [name: string, carry: (secret: string) => string][] = [
  ['an API key', (it) => `the key apk_${it} was used`],
  ['a session or the secret of the window, wherever it stands', (it) => `lost ${it}, sorry`],
  ['a cookie header', (it) => `Cookie: slipway=abc; slipway.sig=${it.slice(0, 27)}`],
  ['a header as an object shows it', (it) => `{ 'x-api-key': '${it.slice(0, 20)}' }`],
  ['a bearer', (it) => `sent Bearer ${it.slice(0, 20)}`],
  ['a query', (it) => `GET /p/x?page=2&access_token=${it.slice(0, 12)}&sort=name`],
  ['the address of a setup link', (it) => `GET /register?setup=${it.slice(0, 22)}`],
  [
    'the address of a manage link',
    (it) => `opened http://127.0.0.1:4780/manage?link=${it.slice(0, 22)}`,
  ],
  [
    'the address of a tester link',
    (it) => `GET http://127.0.0.1:4780/t/${it.slice(0, 22)}/latest/android`,
  ],
  ['a mistyped tester link', (it) => `GET /T/${it.slice(0, 22)}/install and /p/${it.slice(0, 22)}`],
  ['a path below a tester link', (it) => `/t/${it.slice(0, 22)}`],
  ['a tester link at a registry', (it) => `GET /v2/t/${hex(it)}/manifests/latest`],
  ['the same with an encoded slash', (it) => `GET /v2/t%2f${hex(it)}/manifests/latest`],
  ['the same with an encoded letter', (it) => `GET /v2/%74/${hex(it)}/tags/list`],
  ['the same at a mistyped address', (it) => `GET /v3/x/${hex(it).toUpperCase()}/tags/list`],
  [
    'a tester link with encoded letters',
    (it) => `GET /%74/%${hex(it[0] ?? '')}${it.slice(1, 22)}/latest`,
  ],
  ['a setup token in JSON', (it) => `body was {"setup":"${it.slice(0, 22)}"}`],
  [
    'a signed address of a bucket',
    (it) => `GET /b/x?X-Amz-Credential=GK&X-Amz-Signature=${it.slice(0, 30)}`,
  ],
  ['a key of a bucket in JSON', (it) => `body was {"access_key_id":"${it.slice(0, 20)}"}`],
  ['JSON in a text', (it) => `body was {"name":"x","new_password":"${it.slice(0, 9)}"}`],
  [
    'an address with credentials',
    (it) => `proxy http://me:${it.slice(0, 10)}@proxy.example/ refused`,
  ],
]

test.each(carriers)('%s is hidden, in texts, fields and errors', (_name, carry) => {
  const it = secret()
  const text = carry(it)
  const told = [
    redactText(text),
    written({ text }),
    written({ err: new Error('it failed', { cause: new Error(text) }) }),
  ]
  for (const line of told) {
    expect(line).toContain('[redacted]')
    for (const length of [9, 20, 27, 43]) expect(line).not.toContain(it.slice(0, length))
    expect(line.toLowerCase()).not.toContain(hex(it).slice(2))
  }
})

test('hides fields by their names, with any value', () => {
  const line = written({
    password: 'hunter22',
    headers: { Cookie: ['a=b'] },
    user: { apiKey: 'short' },
    sessionKeys: {},
  })
  expect(line).toBe(
    '{"password":"[redacted]","headers":{"Cookie":"[redacted]"},"user":{"apiKey":"[redacted]"},"sessionKeys":"[redacted]"}',
  )
})

test('what helps to find a fault stays', () => {
  const fields = {
    path: '/api/files/AbCdEf123456_-xy/download?limit=10&sort=name',
    sha256: 'a'.repeat(64),
    sessions: 3,
    message: 'ENOSPC: no space left on device, write',
  }
  expect(JSON.parse(written(fields))).toEqual(fields)
})

describe('a text that is made to be slow', () => {
  const length = 900_000
  const slow: [what: string, text: (length: number) => string][] = [
    ['a parameter whose name never ends', (length) => `?${'sig'.repeat(length / 3)}`],
    ['a field whose name never ends', (length) => `"${'sig'.repeat(length / 3)}`],
    ['fields without an end', (length) => '"token":"'.repeat(length / 9)],
    ['fields within fields', (length) => '{\\"token\\":\\"'.repeat(length / 13)],
    ['values without an end', (length) => `"token":"${'\\"'.repeat(length / 2)}`],
    ['headers without a value', (length) => 'cookie: '.repeat(length / 8)],
    ['spaces', (length) => `cookie${' '.repeat(length)}`],
    ['spaces behind a colon', (length) => `cookie:${' '.repeat(length)}\n`],
    ['bearers of nothing', (length) => 'bearer '.repeat(length / 7)],
    ['addresses without an end', (length) => '://a:b'.repeat(length / 6)],
    ['keys without an end', (length) => 'apk_-'.repeat(length / 5)],
    ['one word', (length) => 'a'.repeat(length)],
    ['encoded letters', (length) => '%61'.repeat(length / 3)],
    ['encodings that are cut', (length) => '%e2%82'.repeat(length / 6)],
  ]

  // A pattern that is quadratic takes minutes for this, and runs into the time limit of the test.
  test.each(slow)('%s is redacted in one pass', (_what, make) => {
    expect(redactText(make(length)).length).toBeLessThan(2 * length)
  })
})
