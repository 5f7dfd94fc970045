import { expect, test } from 'vitest'
import { digestFields } from '../../../../server/http/send/send-file'

const sha256 = '00'.repeat(32)
const value = `sha-256=:${Buffer.alloc(32).toString('base64')}:`

test.each([
  [200, {}, { 'Repr-Digest': value, 'Content-Digest': value }],
  [206, {}, { 'Repr-Digest': value }],
  [200, { 'want-content-digest': 'sha-256=0' }, { 'Repr-Digest': value }],
  [200, { 'want-repr-digest': 'sha-512=3, sha-256=0, unixsum=1' }, { 'Content-Digest': value }],
  [206, { 'want-repr-digest': 'sha-512=10' }, { 'Repr-Digest': value }],
  [206, { 'want-repr-digest': 'sha-256=0, sha-256=7;q=1' }, { 'Repr-Digest': value }],
  [206, { 'want-repr-digest': 'nonsense,,=' }, { 'Repr-Digest': value }],
])('%i, asked with %j', (status, headers, expected) => {
  expect(digestFields(sha256, status, headers)).toEqual(expected)
})

test('sends no digest for a file that has not been hashed', () => {
  expect(digestFields(undefined, 200, {})).toEqual({})
})
