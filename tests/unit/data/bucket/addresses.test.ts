import { afterEach, expect, test, vi } from 'vitest'
import { Addresses } from '../../../../server/data/bucket/copies/addresses'

const AS = { filename: 'a.zip', type: 'application/zip', seconds: 3600 }
const HALF_MS = 1_800_000

/** Counts its signatures, so that each differs. */
function counting() {
  let signed = 0
  return new Addresses((blobId) => Promise.resolve(`${blobId}-${(signed += 1)}`))
}

afterEach(() => vi.useRealTimers())

test('gives an address out again for half of its life', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const addresses = counting()
  expect(await addresses.of('one', AS)).toBe('one-1')

  vi.setSystemTime(Date.now() + HALF_MS - 1)
  expect(await addresses.of('one', AS)).toBe('one-1')

  vi.setSystemTime(Date.now() + 1)
  expect(await addresses.of('one', AS)).toBe('one-2')
})

test('signs again for another name, type or life, and for a forgotten copy', async () => {
  const addresses = counting()
  expect(await addresses.of('one', AS)).toBe('one-1')
  expect(await addresses.of('one', { ...AS, filename: 'b.zip' })).toBe('one-2')
  expect(await addresses.of('one', { ...AS, type: 'application/x-zip' })).toBe('one-3')
  expect(await addresses.of('one', { ...AS, seconds: 300 })).toBe('one-4')
  addresses.forget('one')
  expect(await addresses.of('one', { ...AS, seconds: 300 })).toBe('one-5')
})

test('keeps at most 5,000 addresses', async () => {
  const addresses = counting()
  for (let n = 0; n <= 5000; n++) await addresses.of(String(n), AS)

  expect(await addresses.of('5000', AS)).toBe('5000-5001')
  expect(await addresses.of('0', AS)).toBe('0-5002')
})

test('does not keep a failure', async () => {
  let fails = true
  const addresses = new Addresses(() =>
    fails ? Promise.reject(new Error('no key')) : Promise.resolve('signed'),
  )
  await expect(addresses.of('one', AS)).rejects.toThrow('no key')
  fails = false

  expect(await addresses.of('one', AS)).toBe('signed')
})
