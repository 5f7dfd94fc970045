import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/dev/free-port'
import { joinCluster, type ClusterPlaces } from '../../server/cluster/join-cluster'
import { sharedEngine } from '../support/bucket/engine'
import { noCluster, placesFor } from '../support/cluster/places'
import { sharedPostgres } from '../support/cluster/postgres'
import { cpuSeconds, curlTogether, fillFile } from '../support/machines/process'
import { sendToBucket } from './transfers/bucket-upload'
import { head, judge, median, row } from './support/figures'
import { findBuilds, startHost, type Build, type Host } from './support/host'
import { during, load, type Question } from './support/load'
import { anAccount, startSlipway } from './transfers/slipway'

/**
 * What a cluster costs: `npm run bench -- cluster`. A replica takes turns with a host that is alone
 * and has the same content, an upload through it with one to the primary, and that with a plain
 * loop of the AWS SDK. PostgreSQL and the object store run on the same cores. BENCH_ROUNDS (7)
 * makes it shorter.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const UPLOAD_MIB = 128
const TURN_MS = 500
const WARM_UP = 4000
const PROJECTS = 20

/** A host with the content, and the path of its public file of 10 KB. */
interface Content {
  data: string
  file: string
}

if (noCluster !== undefined) throw new Error(noCluster)
const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-cluster-'))
const builds = await findBuilds()
try {
  console.log(`${UPLOAD_MIB} MiB; ${ROUNDS} rounds.\n`)
  head('what', 'build', 'figure', 'compared with', 'ratio', 'goal')
  for (const build of builds) await measure(build)
} finally {
  await rm(dir, { recursive: true, force: true })
}
// The servers of this process end with it.
process.exit()

async function measure(build: Build): Promise<void> {
  const content = await fill(build)
  const copy = join(dir, `${build.name}-alone`)
  await cp(content.data, copy, { recursive: true })
  const alone = await startHost(build, copy)

  const postgres = await sharedPostgres()
  const places = await placesFor(await postgres.makeDatabase())
  await joinCluster(content.data, places)
  const primary = await startMember(build, places, content.data, 'host-a')
  const replica = await startMember(build, places, join(dir, `${build.name}-b`), 'host-b')

  await compareReplies(build, { alone, replica, file: content.file })
  await compareUploads(build, { primary, replica })
  for (const host of [replica, primary, alone]) await host.stop()
}

/** A data folder with an account, its projects and a public file. */
async function fill(build: Build): Promise<Content> {
  const small = join(dir, 'small')
  await writeFile(small, Buffer.alloc(10 * 1024, 'x'))
  const data = join(dir, `${build.name}-a`)
  const host = await startSlipway(build, data, { samples: [small] })
  const { client } = await anAccount(host.url, undefined, 'bench')
  for (let n = 0; n < PROJECTS; n++)
    await client.projects.create({ title: `Project ${n}`, is_public: true })
  await host.stop()
  return { data, file: new URL(host.download('small')).pathname }
}

async function startMember(
  build: Build,
  places: ClusterPlaces,
  data: string,
  host: string,
): Promise<Host> {
  const file = join(dir, `${build.name}-${host}.json`)
  const address = `127.0.0.1:${await freePort()}`
  await writeFile(file, JSON.stringify({ ...places, host, address }), { mode: 0o600 })
  return startHost(build, data, { args: ['--cluster', file], limits: undefined })
}

async function compareReplies(
  build: Build,
  { alone, replica, file }: { alone: Host; replica: Host; file: string },
): Promise<void> {
  const works = [
    { name: 'a list of 20 projects', path: '/api/projects?limit=20', goal: '≤ 1.2' },
    { name: 'a file of 10 KB', path: file, goal: '≤ 1.4' },
  ]

  for (const { name, path, goal } of works) {
    const question = ({ url }: Host) => ({ url: url + path })
    for (const host of [replica, alone]) await load(question(host), (answers) => answers >= WARM_UP)

    const costs: { ours: number; theirs: number }[] = []
    for (let round = 0; round < ROUNDS; round++)
      costs.push({
        ours: await costOf(replica, question(replica)),
        theirs: await costOf(alone, question(alone)),
      })

    const [ours, theirs] = [costs.map((it) => it.ours), costs.map((it) => it.theirs)]
    const ratio = median(costs.map((it) => it.ours / it.theirs))
    row(
      `CPU of ${name} at a replica`,
      build.name,
      `${median(ours).toFixed(0)} µs`,
      `${median(theirs).toFixed(0)} µs alone`,
      ratio.toFixed(2),
      judge(goal, ratio),
    )
  }
}

/** CPU of the host for a reply, in µs. */
async function costOf({ pid }: Host, question: Question): Promise<number> {
  const before = await cpuSeconds(pid)
  const replies = (await load(question, during(TURN_MS))).length
  return (((await cpuSeconds(pid)) - before) * 1e6) / replies
}

async function compareUploads(
  build: Build,
  { primary, replica }: { primary: Host; replica: Host },
): Promise<void> {
  const { key } = await anAccount(primary.url, undefined, 'bench')
  const file = join(dir, 'upload')
  await fillFile(file, UPLOAD_MIB)
  const engine = await sharedEngine()
  const place = await engine.makeBucket()
  const upload = ({ url }: Host) => [
    ...['-T', file, '-H', `X-API-Key: ${key}`],
    `${url}/api/files/upload/bench.bin`,
  ]
  const ways = {
    through: () => curlTogether(1, upload(replica)),
    direct: () => curlTogether(1, upload(primary)),
    plain: () => sendToBucket(file, { place, keys: engine.keys }),
  }

  const speeds: Record<keyof typeof ways, number>[] = []
  // The first round warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const speed = {
      through: await speedOf(ways.through),
      direct: await speedOf(ways.direct),
      plain: await speedOf(ways.plain),
    }
    if (round >= 0) speeds.push(speed)
  }

  const show = (way: keyof typeof ways) => `${median(speeds.map((it) => it[way])).toFixed(0)} MiB/s`
  const through = median(speeds.map((it) => it.through / it.direct))
  const received = median(speeds.map((it) => it.direct / it.plain))
  row(
    'an upload through a replica',
    build.name,
    show('through'),
    `${show('direct')} to the primary`,
    through.toFixed(2),
    judge('≥ 0.75', through),
  )
  row(
    'a build received into a bucket',
    build.name,
    show('direct'),
    `${show('plain')} of a plain loop`,
    received.toFixed(2),
    judge('≥ 0.8', received),
  )
}

/** In MiB/s. */
async function speedOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (UPLOAD_MIB * 1000) / (performance.now() - start)
}
