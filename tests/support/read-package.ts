import { factsSchema } from '../../server/contract/facts'
import { memorySource } from '../../server/core/byte-source'
import type { Look } from '../../server/packages/look'
import { PackageFile } from '../../server/packages/package-file'
import { readerOf } from '../../server/packages/readers'

/** What the reader of this file's format finds, with facts as in the contract. Throws as the reader does. */
export async function lookAt(filename: string, bytes: Buffer): Promise<Look> {
  const look = await readerOf(filename)?.(new PackageFile(memorySource(bytes), bytes.length))
  if (!look) throw new Error('Not a package')
  factsSchema.parse(look.facts)
  return look
}

/** The start of a PNG; its pixels are missing. */
export function aPng(side: number, text = ''): Buffer {
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(side, 0)
  sides.writeUInt32BE(side, 4)
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  return Buffer.concat([start, sides, Buffer.alloc(9), Buffer.from(text)])
}
