import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { folderKind, readClusterFile, type ClusterFile } from './cluster-file'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'
import type { FolderParting as Parting } from './folder/folder-parting'
import { formatQuantity } from '../texts/format'

export const CLUSTER_USAGE = `cluster init [--data FOLDER] --cluster FILE [--blobs FOLDER]
                                       moves the library of a stopped host into PostgreSQL, for several hosts;
                                       with --blobs also the bytes into a folder that all of them mount, or with "bucket"
                                       in FILE into a bucket, so that each has a data folder of its own
cluster leave [--data FOLDER] --cluster FILE [--blobs FOLDER]
                                       moves it back into its folder, or into an empty one, and ends the cluster
cluster status [--json] --cluster FILE tells who is the writer, what the hosts do, and how safe the engine is;
                                       exits with 0 if there is a writer, else with 2`

/** Exit code when no host is the writer. */
const NO_WRITER = 2

const text = { type: 'string' } as const
const options = { data: text, cluster: text, blobs: text, json: { type: 'boolean' } } as const

/** Runs `slipway cluster`. Returns the exit code. */
export async function runCluster(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action = '', ...more] = positionals
  const work = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!work || more.length > 0) throw new Error(`Usage:\n${CLUSTER_USAGE}`)
  if (values.cluster === undefined) throw new Error(`cluster ${action} needs --cluster FILE`)
  return work(readClusterFile(values.cluster), { ...values, asJson: values.json === true })
}

interface Choices {
  data?: string
  blobs?: string
  asJson: boolean
}

const actions: Readonly<Record<string, (file: ClusterFile, choices: Choices) => Promise<number>>> =
  {
    async init(file, { data, blobs }) {
      const dir = await folderFor(data)
      const { joinCluster } = await import('./join-cluster')
      const parting = await partingFor(file, { dir, blobs })
      const { records, digest, oldFolder, warning } = await joinCluster(dir, file.engine, parting)
      console.log(
        records === undefined
          ? `An interrupted run had moved the library of ${dir}, and this one ended it.`
          : `The library of ${dir} is in the engine: ${formatQuantity(records, 'record')}, digest ${digest}`,
      )
      console.log(`Its old files are in ${oldFolder}: delete them when the cluster works.`)
      if (parting)
        console.log(
          `The bytes are in ${parting.bytes.words}. Each other host begins with an empty data folder.`,
        )
      console.log(
        `Start each host with --data${blobs === undefined ? '' : ', --blobs'} and --cluster.`,
      )
      if (warning !== undefined) console.error(`Warning: ${warning}`)
      return 0
    },
    async leave(file, { data, blobs }) {
      const dir = await folderFor(data)
      const { leaveCluster } = await import('./leave-cluster')
      const parting = await partingFor(file, { dir, blobs })
      const digest = await leaveCluster(dir, file.engine, parting)
      console.log(
        digest === undefined
          ? `The library is in ${dir}: an interrupted run had moved it, and this one ended that.`
          : `The library is in ${dir} again, digest ${digest}. The cluster has ended: start one host without --cluster.`,
      )
      if (parting)
        console.log(`The bytes are there, too. Delete ${parting.bytes.words} when the host works.`)
      return 0
    },
    async status({ engine }, { asJson }) {
      const { describeCluster, readClusterStatus } = await import('./cluster-status')
      const status = await readClusterStatus(engine)
      console.log(asJson ? JSON.stringify(status, null, 2) : describeCluster(status).join('\n'))
      return status.state === 'running' ? 0 : NO_WRITER
    },
  }

/** How the data folder is parted; undefined: all hosts will share it. */
async function partingFor(
  file: ClusterFile,
  { dir, blobs }: { dir: string; blobs: string | undefined },
): Promise<Parting | undefined> {
  const { requireOtherFolder, requireSecret } = await import('./folder/adopt-folder')
  if (folderKind(file, { blobs }) === 'shared') return undefined
  const secret = requireSecret(file)
  const { FolderParting } = await import('./folder/folder-parting')
  if (file.bucket !== undefined) {
    const { BytesBucket } = await import('./folder/bytes-bucket')
    return new FolderParting(secret, new BytesBucket(file.bucket))
  }
  if (blobs === undefined) return undefined
  requireOtherFolder(blobs, dir)
  const { BytesFolder } = await import('./folder/bytes-place')
  return new FolderParting(secret, new BytesFolder(resolve(blobs)))
}

const folderFor = async (named: string | undefined) =>
  (await findData(named ?? defaultDataDir())).dataDir
