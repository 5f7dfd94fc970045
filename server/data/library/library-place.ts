import { join } from 'node:path'
import { z } from 'zod'
import { holdsLibrary } from './journal/library-files'
import { StoredFile } from '../stored-file'

/**
 * The file that replaces the library in the data folder of a cluster. A Slipway without cluster
 * support takes it, by its name, for a library that it cannot open, so it never starts empty.
 */
const MARK = 'library.cluster.json'

const markSchema = z.strictObject({
  /** The id of the cluster, which PostgreSQL has too. */
  id: z.string().min(1),
  /**
   * `joining`, `leaving`: the library is being moved. After a crash, the same command completes the
   * move.
   */
  state: z.enum(['joining', 'member', 'leaving']),
})

export type ClusterMark = z.infer<typeof markSchema>

/** The cluster mark of a data folder. Missing if the library is in the folder. */
export const clusterMarkIn = (dir: string): StoredFile<ClusterMark> =>
  new StoredFile(markSchema, join(dir, MARK), {
    onDamage: 'Restore this file from a copy of the data folder.',
  })

/** Throws with a readable message if the library of this folder is not in it. */
export async function requireOwnLibrary(dir: string): Promise<void> {
  const mark = await clusterMarkIn(dir).read()
  if (mark !== null) throw elsewhereError(dir, mark.state)
}

/**
 * The id of the cluster that a data folder belongs to. Throws with a readable message if it belongs
 * to none.
 */
export async function requireMember(dir: string): Promise<string> {
  const mark = await clusterMarkIn(dir).read()

  if (mark === null && !(await holdsLibrary(dir)))
    throw new Error(`There is no data in ${dir}. Connect its disk, or correct --data`)
  if (mark === null)
    throw new Error(
      `The library of ${dir} is in the folder, not in a cluster. Move it with \`slipway ` +
        `cluster init\`, or start without --cluster`,
    )

  if (mark.state !== 'member') throw elsewhereError(dir, mark.state)
  return mark.id
}

/** Error for a library that is in PostgreSQL of a cluster, or on its way there or back. */
function elsewhereError(dir: string, state: ClusterMark['state']): Error {
  if (state === 'member')
    return new Error(
      `The library of ${dir} is in PostgreSQL of a cluster. Add --cluster FILE, or move it back ` +
        `first: slipway cluster leave --data ${dir} --cluster FILE`,
    )
  const command = state === 'joining' ? 'init' : 'leave'
  return new Error(
    `The library of ${dir} is half moved, because \`slipway cluster ${command}\` was ` +
      `interrupted. Run it again: slipway cluster ${command} --data ${dir} --cluster FILE`,
  )
}
