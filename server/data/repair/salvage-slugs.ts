import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/json'
import { errorCode } from '../durable-file'
import { logName, snapshotName, type LibraryFiles } from '../library/journal/library-files'
import { decodeLine, eachLine } from '../library/journal/log-line'
import { readBlocks } from '../library/journal/read-blocks'

/** A step that says to whom an address belongs: a project, or the reservation of a deleted one. */
const claimSchema = z.tuple([
  z.literal('put'),
  z.enum(['projects', 'reservedSlugs']),
  z.string(),
  z.object({ slug: z.string().regex(/^[a-z0-9-]{1,80}$/), ownerId: z.string() }),
])

/**
 * Finds the owners of all addresses that a damaged library still tells of, by slug: a rebuild must not give the address
 * of one account to another. Lines that cannot be read are skipped, and so are files that the disk does not give.
 */
export async function salvageSlugs(dir: string, files: LibraryFiles): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  const claim = (step: unknown) => {
    const { data } = claimSchema.safeParse(step)
    if (data) owners.set(data[3].slug, data[3].ownerId)
  }
  for (const generation of files.snapshots) await read(join(dir, snapshotName(generation)), stepsOfSnapshot, claim)
  for (const generation of files.logs) await read(join(dir, logName(generation)), stepsOfLog, claim)
  return owners
}

type Steps = (block: Buffer, start: number, end: number) => readonly unknown[]

async function read(path: string, stepsOf: Steps, claim: (step: unknown) => void): Promise<void> {
  try {
    for await (const block of readBlocks(path)) {
      eachLine(block, (start, end) => stepsOf(block, start, end).forEach(claim))
    }
  } catch (error) {
    if (!['ENOENT', 'EIO'].includes(errorCode(error) ?? '')) throw error
  }
}

const stepsOfLog: Steps = (block, start, end) => decodeLine(block, start, end)?.o ?? []

/** Each record of a snapshot is a line that ends with a comma. */
const stepsOfSnapshot: Steps = (block, start, end) => {
  const step = parseJson(block.toString('utf8', start, end - 1))
  return step === undefined ? [] : [step]
}
