import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { takeOffice } from '../../server/data/engine/candidate'
import { connect } from '../../server/data/engine/connection'
import { Follower } from '../../server/data/engine/follow/follower'
import { openReaderLibrary } from '../../server/data/engine/follow/reader-ledger'
import type { Office } from '../../server/data/engine/office'
import { openEngineLedger } from '../../server/data/engine/open-engine-ledger'
import { beginCluster, makeTables } from '../../server/data/engine/tables'
import { Library } from '../../server/data/library/library'
import { SCHEMA } from '../../server/data/library/schema'
import { Posters } from '../faults/cluster/posters'
import { ClusterHosts } from '../support/cluster/hosts'
import { startPostgres, type Postgres } from '../support/cluster/postgres'
import { compareHosts } from './cluster/compare-hosts'
import { loadLibraryBefore, type Open } from './cluster/seam'
import { head, judge, median, percentile, row, times } from './support/figures'

/** The writer of a cluster beside the journal of a folder, in turns: `npm run bench -- cluster`. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = 3
/** Short turns, many times: the ratio is to be exact to a hundredth. */
const [SEAM_ROUNDS, SEAM_SECONDS] = [12, 0.5]
const REST_MS = 3000
const RECORDS = 100_000
const ID = 'bench'
const filler = 'x'.repeat(400)
const log = { info: () => undefined, warn: () => undefined, error: console.error }

interface Rate {
  perSecond: number
  /** Of one change, in ms. */
  p50: number
}

async function changeFor(library: Library, clients: number, seconds = SECONDS): Promise<Rate> {
  const posts = library.collection('posts')
  const until = performance.now() + seconds * 1000
  const took: number[] = []
  const work = async (client: number) => {
    for (let n = 0; performance.now() < until; n++) {
      const begun = performance.now()
      const id = `h-${client}-${n % 5000}`
      await library.transact((tx) => tx.put(posts, id, aPost(id)))
      took.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return { perSecond: took.length / seconds, p50: median(took) }
}

function aPost(id: string) {
  const at = new Date().toISOString()
  return { id, projectId: 'project', authorId: 'author', content: filler, createdAt: at, updatedAt: at }
}

/** The library of this source. */
const openNow: Open = (options) => Library.open(options)

async function inFolder<T>(work: (library: Library, dir: string) => Promise<T>, open = openNow): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-cluster-'))
  const library = await open({ dir, log })
  try {
    return await work(library, dir)
  } finally {
    await library.close()
    await rm(dir, { recursive: true })
  }
}

async function inEngine<T>(
  postgres: Postgres,
  work: (library: Library, office: Office, url: string) => Promise<T>,
): Promise<T> {
  const engine = await postgres.makeDatabase()
  const client = await connect(engine)
  await makeTables(client)
  await beginCluster(client, { id: ID, schema: SCHEMA, seq: 0 })
  await client.end()
  const readCluster = () => Promise.resolve(ID)
  const office = await takeOffice({ engine, host: 'bench', schema: SCHEMA, log, readCluster, onWait: () => undefined })
  const library = await Library.on(openEngineLedger(office, log), log)
  try {
    return await work(library, office, engine)
  } finally {
    await library.close()
    await office.resign()
  }
}

async function compareChanges(postgres: Postgres): Promise<void> {
  for (const clients of [1, 16, 128]) {
    const rounds: { folder: Rate; engine: Rate }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const folder = await inFolder((library) => changeFor(library, clients))
      rounds.push({ folder, engine: await inEngine(postgres, (library) => changeFor(library, clients)) })
    }
    const ratio = median(rounds.map(({ folder, engine }) => engine.perSecond / folder.perSecond))
    const [folder, engine] = (['folder', 'engine'] as const).map((place) => ({
      perSecond: median(rounds.map((it) => it[place].perSecond)),
      p50: median(rounds.map((it) => it[place].p50)),
    }))
    row(
      `changes a second, ${clients} clients`,
      `${folder!.perSecond.toFixed(0)} (${folder!.p50.toFixed(2)} ms)`,
      `${engine!.perSecond.toFixed(0)} (${engine!.p50.toFixed(2)} ms)`,
      ratio.toFixed(2),
      judge('≥ 0.5', ratio),
    )
  }
}

/** The same changes before the library wrote to a `Ledger`. */
async function compareSeam(): Promise<void> {
  const before = await loadLibraryBefore()
  const rounds: { now: number; before: number }[] = []
  const rateOf = async (open: Open) =>
    (await inFolder((library) => changeFor(library, 16, SEAM_SECONDS), open)).perSecond
  for (let round = 0; round < SEAM_ROUNDS * ROUNDS; round++) {
    const pair = { now: 0, before: 0 }
    const names = ['now', 'before'] as const
    for (const name of round % 2 === 0 ? names : names.toReversed())
      pair[name] = await rateOf(name === 'now' ? openNow : before.open)
    rounds.push(pair)
  }
  await before.end()
  const ratio = median(rounds.map((it) => it.now / it.before))
  const [now, then] = [median(rounds.map((it) => it.now)), median(rounds.map((it) => it.before))]
  const figures = [now.toFixed(0), `${then.toFixed(0)} before the library had a \`Ledger\``]
  row('changes a second in a folder, 16 clients', ...figures, ratio.toFixed(2), judge('≥ 0.98', ratio))
}

async function fill(library: Library): Promise<void> {
  const posts = library.collection('posts')
  for (let n = 0; n < RECORDS; n += 1000)
    await library.transact((tx) => {
      for (let i = n; i < n + 1000; i++) tx.put(posts, `p${i}`, aPost(`p${i}`))
    })
}

async function compareStarts(postgres: Postgres): Promise<void> {
  const folder = await inFolder(async (library, dir) => {
    await fill(library)
    await library.checkpoint()
    await library.close()
    return median(await times(3, async () => (await Library.open({ dir, log })).close()))
  })
  const engine = await inEngine(postgres, async (library, office) => {
    await fill(library)
    return median(await times(3, () => Library.on(openEngineLedger(office, log), log)))
  })
  const ratio = engine / folder
  const what = `reading ${RECORDS.toLocaleString('en')} records at the start`
  row(what, `${folder.toFixed(0)} ms`, `${engine.toFixed(0)} ms`, ratio.toFixed(2), judge('≤ 4', ratio))
}

async function measureQuestions(postgres: Postgres): Promise<void> {
  const took = await inEngine(postgres, (_, office) => times(2000, () => office.fresh()))
  const p50 = median(took)
  row(
    'asking whether this host is the writer, p50 / p99',
    '',
    `${p50.toFixed(2)} / ${percentile(took, 99).toFixed(2)} ms`,
  )
}

/** A reader beside a writer that makes some changes a second. */
async function measureReader(postgres: Postgres): Promise<void> {
  await inEngine(postgres, async (writer, _, engine) => {
    await fill(writer)
    const follower = await Follower.open({ engine, id: ID, schema: SCHEMA, log })
    const asleep = await Follower.open({ engine, id: ID, schema: SCHEMA, log })
    await openReaderLibrary(follower, log)
    let n = 0
    const change = () => writer.transact((tx) => tx.put(writer.collection('posts'), `p${n}`, aPost(`p${n++}`)))
    const quiet = await times(2000, () => follower.fresh())
    const afterChange: number[] = []
    for (let round = 0; round < 500; round++) {
      await change()
      afterChange.push(...(await times(1, () => follower.fresh())))
    }
    const inMs = (took: number[]) => `${median(took).toFixed(2)} / ${percentile(took, 99).toFixed(2)} ms`
    row('asking at a reader, p50 / p99', '', inMs(quiet))
    row('seeing an acknowledged change at a reader, p50 / p99', '', inMs(afterChange))
    await fill(writer)
    const reader = await openReaderLibrary(asleep, log)
    const [took] = await times(1, () => asleep.fresh())
    row(`catching up with ${RECORDS.toLocaleString('en')} changes`, '', `${took!.toFixed(0)} ms`)
    if (reader.collection('posts').size !== RECORDS) throw new Error('The reader has other records')
    await Promise.all([follower.close(), asleep.close()])
  })
}

/** How the writer ends, and how long changes may wait for the other host then, in seconds. */
const ENDS = [
  ['stopped', 'SIGTERM', 0.5],
  ['killed', 'SIGKILL', 2.5],
  ['hung', 'SIGSTOP', 8],
] as const

/** The longest time without an acknowledged change, of four clients that ask the other host when one fails. */
async function measurePauses(postgres: Postgres): Promise<void> {
  const hosts = await ClusterHosts.start(await postgres.makeDatabase(), ['host-a', 'host-b'])
  const posters = await Posters.begin(hosts, 4)
  for (const [what, signal, most] of ENDS) {
    const pauses: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await posters.untilMore()
      const { process: writer, ended } = hosts.host(await hosts.untilServing())
      // Both are up again.
      await pause(REST_MS)
      const begun = performance.now()
      writer.kill(signal)
      await posters.untilMore()
      pauses.push(posters.pauseSince(begun) / 1000)
      writer.kill('SIGCONT')
      await ended
    }
    const [half, longest] = [median(pauses), Math.max(...pauses)]
    const figures = `${half.toFixed(2)} / ${longest.toFixed(2)} s`
    row(`changes wait when the writer is ${what}, median / longest`, '', figures, '', judge(`≤ ${most}`, half))
  }
  await posters.end()
  await hosts.end()
}

const postgres = await startPostgres()
try {
  console.log(`The library in a folder and in PostgreSQL on this machine, in turns; medians of ${ROUNDS} rounds.\n`)
  head('what', 'folder', 'PostgreSQL', 'ratio', 'goal')
  await compareChanges(postgres)
  await compareStarts(postgres)
  await measureQuestions(postgres)
  await measureReader(postgres)
  await measurePauses(postgres)
  console.log('\nHosts as they ship, in turns, without the CPU of PostgreSQL and the bucket.\n')
  head('what', 'figure', 'compared with', 'ratio', 'goal')
  await compareSeam()
  await compareHosts(await postgres.makeDatabase(), ROUNDS)
} finally {
  await postgres.close()
}
process.exit(0)
