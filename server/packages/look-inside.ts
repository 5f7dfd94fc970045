import type { ByteSource } from '../core/byte-source'
import { Unreadable, type Look } from './look.ts'
import { PackageFile } from './package-file.ts'
import { readerOf } from './readers.ts'

/** The maximum length in the contract, in characters. */
const MOST = 64
/** Invisible characters and those that reverse text. */
const UNSEEN = /\p{C}/u

type Opened = Pick<ByteSource, 'read' | 'close'>

/** The look is null for files that are not packages. The reason is a sentence for people. */
export type Found = { look: Look | null } | { reason: string }

/**
 * Reads what a package says about itself. Files of other formats are not opened. Never throws; memory is bounded, time
 * is not: `PackageReader` runs it in a worker. `size` is in bytes.
 */
export async function lookInside(filename: string, size: number, open: () => Promise<Opened>): Promise<Found> {
  const reader = readerOf(filename)
  if (!reader) return { look: null }
  const bytes = await open()
  try {
    const look = await reader(new PackageFile(bytes, size))
    return { look: look && cleaned(look) }
  } catch (cause) {
    return { reason: cause instanceof Unreadable ? cause.message : 'The package is damaged.' }
  } finally {
    await bytes.close()
  }
}

function cleaned({ facts, icon }: Look): Look {
  const version = facts.version?.trim() ?? ''
  const isVersion = version !== '' && version.length <= MOST && !UNSEEN.test(version)
  return { facts: { ...facts, version: isVersion ? version : null }, icon }
}
