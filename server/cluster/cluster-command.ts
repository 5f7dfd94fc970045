import { parseArgs } from 'node:util'
import { readClusterFile } from './cluster-file'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'

export const CLUSTER_USAGE = `cluster init [--data FOLDER] --cluster FILE
                                       moves the library of a stopped host into PostgreSQL, for several hosts
cluster leave [--data FOLDER] --cluster FILE
                                       moves it back into its folder, and ends the cluster
cluster status [--json] --cluster FILE tells who is the writer, what the hosts do, and how safe the engine is;
                                       exits with 0 if there is a writer, else with 2`

/** Exit code when no host is the writer. */
const NO_WRITER = 2

const options = { data: { type: 'string' }, cluster: { type: 'string' }, json: { type: 'boolean' } } as const

/** Runs `slipway cluster`. Returns the exit code. */
export async function runCluster(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action = '', ...more] = positionals
  const work = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!work || more.length > 0) throw new Error(`Usage:\n${CLUSTER_USAGE}`)
  if (values.cluster === undefined) throw new Error(`cluster ${action} needs --cluster FILE`)
  const { engine } = readClusterFile(values.cluster)
  return work(engine, { data: values.data, asJson: values.json === true })
}

interface Choices {
  data: string | undefined
  asJson: boolean
}

const actions: Readonly<Record<string, (engine: string, choices: Choices) => Promise<number>>> = {
  async init(engine, { data }) {
    const dir = await folderFor(data)
    const { joinCluster } = await import('./join-cluster')
    const { records, digest, oldFolder, warning } = await joinCluster(dir, engine)
    console.log(
      records === undefined
        ? `An interrupted run had moved the library of ${dir}, and this one ended it.`
        : `The library of ${dir} is in the engine: ${records} records, digest ${digest}`,
    )
    console.log(`Its old files are in ${oldFolder}: delete them when the cluster works.`)
    console.log('Start each host with --data and --cluster.')
    if (warning !== undefined) console.error(`Warning: ${warning}`)
    return 0
  },
  async leave(engine, { data }) {
    const dir = await folderFor(data)
    const { leaveCluster } = await import('./leave-cluster')
    const digest = await leaveCluster(dir, engine)
    console.log(
      digest === undefined
        ? `The library is in ${dir}: an interrupted run had moved it, and this one ended that.`
        : `The library is in ${dir} again, digest ${digest}. The cluster has ended: start one host without --cluster.`,
    )
    return 0
  },
  async status(engine, { asJson }) {
    const { describeCluster, readClusterStatus } = await import('./cluster-status')
    const status = await readClusterStatus(engine)
    console.log(asJson ? JSON.stringify(status, null, 2) : describeCluster(status).join('\n'))
    return status.state === 'running' ? 0 : NO_WRITER
  },
}

const folderFor = async (named: string | undefined) => (await findData(named ?? defaultDataDir())).dataDir
