import fc from 'fast-check'
import { factsSchema } from '../../server/contract/files/facts'
import { packageIndexSchema } from '../../server/contract/files/package-index'
import { memorySource } from '../../server/core/byte-source'
import { Unreadable, type Look } from '../../server/libraries/package-reader/look'
import { lookInside, type ReadResult } from '../../server/libraries/package-reader/look-inside'

/** Reads a package that is in memory. */
const lookAt = (filename: string, bytes: Buffer): Promise<ReadResult> =>
  lookInside(filename, bytes.length, () => Promise.resolve(memorySource(bytes)))

/** The facts in a package, or the reason why there are none. */
export async function factsOf(filename: string, bytes: Buffer) {
  const found = await lookAt(filename, bytes)
  return 'look' in found ? found.look?.facts : found.reason
}

/**
 * What is found in a package, with facts as in the contract. Throws the reason where there are
 * none.
 */
export async function lookOf(filename: string, bytes: Buffer): Promise<Look> {
  const found = await lookAt(filename, bytes)
  if ('reason' in found) throw new Unreadable(found.reason)
  if (!found.look) throw new Error('Not a package')
  factsSchema.parse(found.look.facts)
  if (found.look.index && 'kind' in found.look.index) packageIndexSchema.parse(found.look.index)
  return found.look
}

/** Numbers of four bytes that break what adds or multiplies them. */
const EXTREMES = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff]

type Change = { at: number; byte: number } | { at: number; extreme: number } | { cutAt: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ at: fc.nat(), byte: fc.nat(255) }) },
  { weight: 3, arbitrary: fc.record({ at: fc.nat(), extreme: fc.constantFrom(...EXTREMES) }) },
  { weight: 1, arbitrary: fc.record({ cutAt: fc.nat() }) },
)

function changed(original: Buffer, changes: readonly Change[]): Buffer {
  let bytes = Buffer.from(original)
  for (const it of changes) {
    if ('cutAt' in it) bytes = bytes.subarray(0, it.cutAt % (bytes.length + 1))
    else if ('byte' in it) bytes[it.at % bytes.length] = it.byte
    else if (bytes.length >= 4) bytes.writeUInt32LE(it.extreme, it.at % (bytes.length - 3))
  }
  return bytes
}

/**
 * Damages the first `within` bytes of a package in many ways. Each way must end with facts or a
 * reason; `isMaybe`: or as no package. `pack` puts damaged bytes into a package.
 */
export async function survivesDamage(
  filename: string,
  original: Buffer,
  { pack = (bytes: Buffer) => bytes, within = original.length, runs = 500, isMaybe = false } = {},
): Promise<void> {
  const rest = original.subarray(within)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const found = await lookAt(
        filename,
        pack(Buffer.concat([changed(original.subarray(0, within), changes), rest])),
      )
      if ('reason' in found) return
      if (found.look === null && !isMaybe) throw new Error('There is neither a look nor a reason')
      if (found.look) factsSchema.parse(found.look.facts)
      if (found.look?.index && 'kind' in found.look.index)
        packageIndexSchema.parse(found.look.index)
    }),
    { numRuns: runs },
  )
}
