import { parseArgs } from 'node:util'
import { readClusterFile, type ClusterFile } from './cluster-file'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'
import { wordsFor } from './folder/bytes-bucket'
import { formatQuantity } from '../texts/format'

export const CLUSTER_USAGE = `cluster init [--data FOLDER] --cluster FILE
                                       moves the library of a stopped host into
                                       PostgreSQL and its bytes into a bucket, for
                                       several hosts
cluster leave [--data FOLDER] --cluster FILE
                                       moves them back into its folder, or into an
                                       empty one, and ends the cluster
cluster status [--json] --cluster FILE shows who is the primary, what the hosts do,
                                       and how safe PostgreSQL is; exits with 0 if
                                       there is a primary, else with 2`

/** Exit code when no host is the primary. */
const NO_PRIMARY = 2

const text = { type: 'string' } as const
const options = { data: text, cluster: text, json: { type: 'boolean' } } as const

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
  asJson: boolean
}

const actions: Readonly<Record<string, (file: ClusterFile, choices: Choices) => Promise<number>>> =
  {
    async init(file, { data }) {
      const dir = await folderFor(data)
      const { joinCluster } = await import('./join-cluster')
      const { records, digest, oldFolder, warnings } = await joinCluster(dir, file)

      console.log(
        records === undefined
          ? `An interrupted run had moved the library of ${dir}, and this one ended it.`
          : `The library of ${dir} is in PostgreSQL: ${formatQuantity(records, 'record')}, ` +
              `digest ${digest}`,
      )
      console.log(`Its old files are in ${oldFolder}: delete them when the cluster works.`)
      console.log(
        `The bytes are in ${wordsFor(file.bucket)}. Each other host begins with an empty data ` +
          'folder.',
      )

      console.log('Start each host with --data and --cluster.')
      for (const warning of warnings) console.error(`Warning: ${warning}`)
      return 0
    },
    async leave(file, { data }) {
      const dir = await folderFor(data)
      const { leaveCluster } = await import('./leave-cluster')
      const digest = await leaveCluster(dir, file)
      console.log(
        digest === undefined
          ? `The library is in ${dir}: an interrupted run had moved it, and this one ended that.`
          : `The library is in ${dir} again, digest ${digest}. The cluster has ended: start one ` +
              'host without --cluster.',
      )
      console.log(`The bytes are there, too. Delete ${wordsFor(file.bucket)} when the host works.`)
      return 0
    },
    async status({ postgres }, { asJson }) {
      const { describeCluster, readClusterStatus } = await import('./cluster-status')
      const status = await readClusterStatus(postgres)
      console.log(asJson ? JSON.stringify(status, null, 2) : describeCluster(status).join('\n'))
      return status.state === 'running' ? 0 : NO_PRIMARY
    },
  }

const folderFor = async (named: string | undefined) =>
  (await findData(named ?? defaultDataDir())).dataDir
