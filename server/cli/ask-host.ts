import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'
import { errorCode } from '../core/durable-file'
import { DataDirLockedError } from '../core/errors'
import { clusterMarkIn } from '../data/library/library-place'
import { isAlive } from '../data/folder/lock/process-identity'
import { openAdminFile, type AdminFile } from '../admin/admin-file'
import type { AdminCallName, AdminCalls } from '../admin/calls'

type Input<Name extends AdminCallName> = NonNullable<AdminCalls[Name]['sends']>
type Reply<Name extends AdminCallName> = Awaited<ReturnType<AdminCalls[Name]['handle']>>

/** Timeout in ms: the host may be busy hashing passwords. */
const PATIENCE_MS = 60_000

/**
 * Sends a command to the host on a data folder (`named` undefined: the default). Throws readable
 * errors.
 */
export async function askHost<Name extends AdminCallName>(
  named: string | undefined,
  name: Name,
  input: Input<Name>,
): Promise<Reply<Name>> {
  const dir = await findDataFolder(named ?? defaultDataDir())
  const host = await findHost(dir)

  const body = await send(host, name, input).catch((cause: unknown) => {
    const why = `Slipway (process ${host.pid}) does not answer on ${host.address}`
    throw new Error(
      `${why}. Run this command on the computer, and in the container, of the host.`,
      { cause },
    )
  })

  const reply = JSON.parse(body) as { success: true } | { success: false; error: string }
  if (!reply.success) throw new Error(reply.error)
  return reply as unknown as Reply<Name>
}

const NOT_HERE =
  'The primary of this cluster does not run on this computer. Run this command where it does: ' +
  '`slipway cluster status` shows its name'

/** Finds the data folder. A locked folder (also during a move) belongs to a running host. */
async function findDataFolder(named: string): Promise<string> {
  try {
    return (await findData(named)).dataDir
  } catch (error) {
    if (error instanceof DataDirLockedError) return error.dir
    throw isForbidden(error) ? otherAccount(named) : error
  }
}

async function findHost(dir: string): Promise<AdminFile> {
  const read = openAdminFile(dir).read()
  const file = await read.catch((error: unknown) => {
    throw isForbidden(error) ? otherAccount(dir) : error
  })
  if (file === null) throw notRunning(dir)
  if (await isAlive(file)) return file
  if ((await clusterMarkIn(dir).read()) !== null) throw new NotRunning(NOT_HERE)
  throw notRunning(dir, `: its process ${file.pid} has ended`)
}

function send({ address, secret }: AdminFile, name: AdminCallName, input: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    // The default agent may use a proxy from the environment.
    const options = { method: 'POST', headers, agent: new Agent(), timeout: PATIENCE_MS }
    const asking = request(
      `http://${address}/${name}`,
      options,
      (reply) => void text(reply).then(resolve, reject),
    )

    asking.on('timeout', () => asking.destroy(new Error('No answer')))
    asking.on('error', reject)
    asking.end(JSON.stringify(input))
  })
}

const isForbidden = (error: unknown) => ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')

const otherAccount = (dir: string) =>
  new Error(`This account cannot read ${dir}. Run this command as the account that runs Slipway.`)

/** No host runs on the data folder. */
export class NotRunning extends Error {}

const notRunning = (dir: string, why = '') =>
  new NotRunning(
    `Slipway is not running on the data folder ${dir}${why}. Start it with: slipway serve ` +
      `--data ${dir}`,
  )
