import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { connect, type EngineClient } from '../../data/engine/connection'
import { EngineError } from '../../data/engine/engine-error'
import { findTables, updateTables } from '../../data/engine/tables'
import { clusterMarkIn, requireMember, type ClusterMark } from '../../data/library/cluster-mark'
import { holdsLibrary } from '../../data/library/journal/library-files'
import type { ClusterFile } from '../cluster-file'

/**
 * The secret from which the key for what all hosts have in common comes. Throws with a readable
 * message.
 */
export function requireSecret({ secret }: ClusterFile): string {
  if (secret !== undefined) return secret
  throw new Error(
    'A host with a data folder of its own needs "secret" and "address" in the file of --cluster. The secret is the same at all hosts. Make one with: openssl rand -base64 32',
  )
}

/** Throws with a readable message if the bytes and the data folder would be in one place. */
export function requireOtherFolder(blobs: string, dataDir: string): void {
  if (resolve(blobs) === resolve(dataDir))
    throw new Error(
      '--blobs takes another folder than --data: the bytes are for all hosts, the data folder for one',
    )
}

/**
 * Returns the id of the cluster: that of the folder, or that of the engine for an empty one, which
 * becomes its.
 */
export async function adoptFolder(dir: string, engine: string): Promise<string> {
  const isOurs = (await clusterMarkIn(dir).read()) !== undefined || (await holdsLibrary(dir))
  if (isOurs) return requireMember(dir)
  const mark = await inEngine(engine, async (session) => {
    await updateTables(session)
    return markEmpty(dir, session, 'member')
  })
  if (mark === undefined)
    throw new Error(`${dir} has other files. Give this host an empty folder of its own`)
  return mark.id
}

/**
 * Marks an empty folder for the cluster in the engine. Undefined: it is not empty. Throws
 * EngineError.
 */
export async function markEmpty(
  dir: string,
  session: EngineClient,
  state: ClusterMark['state'],
): Promise<ClusterMark | undefined> {
  if (!(await isEmptyFolder(dir))) return undefined
  const id = (await findTables(session))?.head?.id
  if (id === undefined)
    throw new EngineError(
      'The engine has no cluster. Make one from the host with the library: slipway cluster init',
    )
  const mark: ClusterMark = { id, state }
  await clusterMarkIn(dir).write(mark)
  return mark
}

/** Whether there is nothing but locks, logs and what a new disk has. */
export async function isEmptyFolder(dir: string): Promise<boolean> {
  const names = await readdir(dir)
  return names.every((name) =>
    /^(slipway\..*lock|lost\+found|logs|library\.cluster\.json\.tmp)$/.test(name),
  )
}

/** Asks the engine over a session of its own. Throws EngineError, and what `work` does. */
export async function inEngine<T>(
  engine: string,
  work: (session: EngineClient) => Promise<T>,
): Promise<T> {
  const session = await connect(engine, { isPatient: true })
  try {
    return await work(session)
  } finally {
    await session.end().catch(() => undefined)
  }
}
