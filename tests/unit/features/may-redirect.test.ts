import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  etagFor,
  mayRedirect,
  type DownloadRequest,
  type Copy,
} from '../../../server/features/downloads/may-redirect'

const MIB = 1024 * 1024
const OURS = `"${'a1'.repeat(32)}"`
const THEIRS = '"0f343b0931126a20f133d67c2b018a3b-13"'
const UPLOADED = 'Sun, 06 Nov 1994 08:49:37 GMT'
const BEFORE = 'Sun, 06 Nov 1994 08:49:36 GMT'
const AFTER = 'Mon, 07 Nov 1994 08:49:37 GMT'

const file = {
  isPublic: true,
  size: 200 * MIB,
  sha256: OURS.slice(1, -1),
  uploadedAt: new Date(UPLOADED).toISOString(),
}
const copy: Copy = { etag: THEIRS, isWell: true }
const visitor: DownloadRequest = {
  method: 'GET',
  headers: {},
  address: '198.51.100.7',
  atWindow: false,
  isSignedIn: false,
}
const LAST = file.size - 1

/** What a visitor with these headers gets from the bucket; undefined: the host answers. */
const withHeaders = (headers: DownloadRequest['headers']) =>
  mayRedirect({ ...visitor, headers }, file, copy)

describe('a visitor from outside gets from the bucket', () => {
  test.each([
    ['the whole file', {}, 0, LAST],
    ['the rest of it', { range: 'bytes=1000-' }, 1000, LAST],
    ['a segment', { range: 'bytes=0-999' }, 0, 999],
    ['its end', { range: 'bytes=-1000' }, file.size - 1000, LAST],
    ['more than all of it', { range: 'bytes=5-99999999999999999999' }, 5, LAST],
    [
      'a file that a browser saves',
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
      0,
      LAST,
    ],
    ["a file, by Node's fetch", { 'sec-fetch-mode': 'cors' }, 0, LAST],
    [
      'a file, by an Electron app',
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'none' },
      0,
      LAST,
    ],
    [
      'what has changed since its copy',
      { 'if-none-match': '"x"', 'if-modified-since': AFTER },
      0,
      LAST,
    ],
    ['what is newer than its copy', { 'if-modified-since': BEFORE }, 0, LAST],
    ['the rest of what it began there', { range: 'bytes=5-', 'if-range': THEIRS }, 5, LAST],
    [
      'the same, as Firefox resumes',
      { range: 'bytes=5-', 'if-match': THEIRS, 'if-unmodified-since': AFTER },
      5,
      LAST,
    ],
    ['a file, with a session', { cookie: 'slipway.sid=abc' }, 0, LAST],
  ] as const)('%s', (_, headers, start, end) =>
    expect(withHeaders(headers)).toEqual({ start, end }),
  )
})

describe('the host answers', () => {
  test.each([
    ['several ranges', { range: 'bytes=0-1,4-5' }],
    ['ranges with an empty one', { range: 'bytes=0-1,' }],
    ['another unit', { range: 'items=0-1' }],
    ['a range written in another way', { range: 'Bytes=0-1' }],
    ['a range that ends before it begins', { range: 'bytes=5-2' }],
    ['a range behind the end (416)', { range: `bytes=${file.size}-` }],
    ['no bytes (416)', { range: 'bytes=-0' }],
    ['what the client has (304)', { 'if-none-match': OURS }],
    ['what the client has from the bucket (304)', { 'if-none-match': `W/${THEIRS}` }],
    ['what has not changed (304)', { 'if-modified-since': UPLOADED }],
    ['another version (412)', { 'if-match': '"x"' }],
    ['a version that has changed (412)', { 'if-unmodified-since': BEFORE }],
    ['our version, which the bucket does not know', { 'if-match': OURS }],
    ['any version', { 'if-match': '*' }],
    ['a date, which the bucket compares with its own', { 'if-unmodified-since': AFTER }],
    ['the rest of another version', { range: 'bytes=5-', 'if-range': '"x"' }],
    ['the rest since a date', { range: 'bytes=5-', 'if-range': AFTER }],
    ['the rest of what began at the host', { range: 'bytes=5-', 'if-range': OURS }],
    ['an API key', { 'x-api-key': 'slw_abc' }],
    ['an empty API key', { 'x-api-key': '' }],
    ['a password', { authorization: 'Basic YTpi' }],
    ['a script of a page', { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }],
    ['a script of our page', { 'sec-fetch-mode': 'same-origin', 'sec-fetch-site': 'same-origin' }],
    ['an image or video of a page', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-site' }],
    ['a client that wants the digest', { 'want-repr-digest': 'sha-256=1' }],
    ['a client that wants the digest of the body', { 'want-content-digest': 'sha-256=1' }],
  ])('%s', (_, headers) => expect(withHeaders(headers)).toBeUndefined())

  test.each(['HEAD', 'POST', 'OPTIONS'])('%s', (method) =>
    expect(mayRedirect({ ...visitor, method }, file, copy)).toBeUndefined(),
  )

  test.each([
    ['a private address', '192.168.1.20'],
    ['loopback', '127.0.0.1'],
    ['loopback', '::1'],
    ['a link-local address', 'fe80::1'],
    ['a unique local address', 'fd12::1'],
    ["a provider's or VPN's own address", '100.64.0.9'],
    ['no address', ''],
  ])('%s: %s', (_, address) =>
    expect(mayRedirect({ ...visitor, address }, file, copy)).toBeUndefined(),
  )

  test.each<[string, Partial<DownloadRequest>, Partial<typeof file>, Partial<Copy>]>([
    ['the app window', { atWindow: true }, {}, {}],
    ['a program with a session', { isSignedIn: true }, {}, {}],
    [
      'a script with a session',
      { isSignedIn: true, headers: { 'sec-fetch-mode': 'cors' } },
      {},
      {},
    ],
    ['a client that asks for the host', { from: 'host' }, {}, {}],
    ['a private file', {}, { isPublic: false }, {}],
    ['a bucket in trouble', {}, {}, { isWell: false }],
  ])('%s', (_, asked, changed, trouble) =>
    expect(
      mayRedirect({ ...visitor, ...asked }, { ...file, ...changed }, { ...copy, ...trouble }),
    ).toBeUndefined(),
  )
})

test.each(['2001:4860::1', '8.8.8.8', '172.32.0.1', '100.128.0.1'])('%s is outside', (address) =>
  expect(mayRedirect({ ...visitor, address, from: ['host', 'host'] }, file, copy)).toEqual({
    start: 0,
    end: LAST,
  }),
)

test.each([
  [OURS, {}],
  [OURS, { 'if-range': OURS }],
  [OURS, { 'if-range': '"x"' }],
  [THEIRS, { 'if-range': THEIRS }],
  [THEIRS, { 'if-match': `"x", ${THEIRS}` }],
  [THEIRS, { 'if-none-match': `W/${THEIRS}` }],
])('the bytes are known as %s to a client that sends %j', (etag, headers) =>
  expect(etagFor(headers, file, copy)).toBe(etag),
)

/** Headers as clients send them, right and wrong. */
const text = fc.oneof(
  fc.constantFrom(
    OURS,
    THEIRS,
    `W/${THEIRS}`,
    '*',
    '"x"',
    BEFORE,
    UPLOADED,
    AFTER,
    '',
    'bytes=0-',
    'bytes=0-0',
  ),
  fc.string({ maxLength: 20 }),
  fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
)
const names = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
] as const
const anyHeaders = fc.record(Object.fromEntries(names.map((name) => [name, text])), {
  requiredKeys: [],
})

test('no request with a secret, from home or for another version is redirected, with any other headers', () => {
  const secret = fc.constantFrom(
    { 'x-api-key': 'k' },
    { authorization: 'Bearer k' },
    { 'if-range': '"another"' },
  )
  fc.assert(
    fc.property(anyHeaders, secret, fc.ipV4(), (headers, more, address) => {
      expect(
        mayRedirect({ ...visitor, headers: { ...headers, ...more } }, file, copy),
      ).toBeUndefined()
      const atHome = `10.${address.split('.').slice(1).join('.')}`
      expect(mayRedirect({ ...visitor, headers, address: atHome }, file, copy)).toBeUndefined()
    }),
  )
})

test('the bytes of a redirect are within the file, and those that the range names', () => {
  fc.assert(
    fc.property(anyHeaders, (headers) => {
      const handed = withHeaders(headers)
      if (!handed) return
      expect(handed.start).toBeGreaterThanOrEqual(0)
      expect(handed.end).toBeGreaterThanOrEqual(handed.start)
      expect(handed.end).toBeLessThanOrEqual(LAST)
      const [, first] = /^bytes=(\d+)-/.exec(headers['range'] ?? '') ?? []
      if (first !== undefined) expect(handed.start).toBe(Number(first))
    }),
  )
})
