import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySource } from '../../../../server/core/byte-source'
import { readOciArchive } from '../../../../server/features/registry/oci-archive'
import { anOciArchive } from '../../../support/images/oci-image'

test('a damaged archive is none, or has its members inside', async () => {
  const original = Buffer.from(anOciArchive('text').archive)
  const whole = await readOciArchive(memorySource(original), original.length)
  expect(whole?.blobs.size).toBe(3)
  expect(whole?.blobs.get(whole.top)).toBeDefined()
  const change = fc.record({ at: fc.nat(original.length - 1), byte: fc.nat(255) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.nat(original.length),
      async (changes, cut) => {
        const bytes = Buffer.from(original)
        for (const { at, byte } of changes) bytes[at] = byte
        const size = cut % 2 === 0 ? cut : bytes.length
        const archive = await readOciArchive(memorySource(bytes), size)
        for (const member of archive?.blobs.values() ?? []) {
          expect(member.offset).toBeGreaterThan(0)
          expect(member.offset + member.size).toBeLessThanOrEqual(size)
        }
      },
    ),
    { numRuns: 300 },
  )
})
