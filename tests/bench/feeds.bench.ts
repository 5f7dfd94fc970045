import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillProject } from './feeds/project'
import { head, judge, median, row, times } from './support/figures'
import { findBuilds, startHost } from './support/host'
import { anAccount } from './transfers/slipway'

/**
 * What feeds cost in a project with many releases: `npm run bench -- feeds`. Of each of six kinds every release has one
 * package. BENCH_RELEASES (5,000) makes it shorter.
 */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 5000)
const TURNS = 20

const FEEDS = [
  'atom.xml',
  'feed.json',
  'electron/latest-linux.yml',
  'apt/dists/stable/InRelease',
  'apt/dists/stable/main/binary-amd64/Packages',
  'rpm/stable/repodata/repomd.xml',
  'fdroid/repo/entry.jar',
  'fdroid/repo/index-v2.json',
  'pacman/stable/x86_64/rocket.db',
  'pip/stable/rocket/',
  'npm/rocket',
  `proof/1.${RELEASES - 1}.0/MANIFEST.minisig`,
]

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-feeds-'))
const [build] = await findBuilds()
try {
  await fillProject(dir, RELEASES)
  const host = await startHost(build, dir)
  const { client } = await anAccount(host.url, undefined, 'user0')
  // Whatever changes in the library, the next request looks whether a feed says something else.
  let count = 0
  const change = () => client.projects.create({ title: `Other ${count++}` })
  try {
    console.log(`${RELEASES.toLocaleString('en')} releases of six packages each; medians of ${TURNS} requests.\n`)
    head('feed', 'kB', 'first, ms', 'again, ms', 'after a change, ms', 'time', 'size', 'same bytes')
    for (const feed of FEEDS) await measure(`${host.url}/p/rocket/feeds/${feed}`, feed, change)
  } finally {
    await host.stop()
  }
} finally {
  await rm(dir, { recursive: true, force: true })
}

async function measure(url: string, name: string, change: () => Promise<unknown>): Promise<void> {
  const [first = NaN] = await times(1, () => ask(url))
  const before = await ask(url)
  const warm = median(await times(TURNS, () => ask(url)))
  const changed: number[] = []
  for (let n = 0; n < TURNS; n++) {
    await change()
    changed.push(...(await times(1, () => ask(url))))
  }
  const after = await ask(url)
  const isSame = before.etag === after.etag && before.body.equals(after.body)
  const slowest = Math.max(warm, median(changed))
  const [took, size] = [judge('≤ 50 ms', slowest), judge('≤ 5 MB', before.body.length / 1e6)]
  const cells = [(before.body.length / 1000).toFixed(0), ...[first, warm, median(changed)].map((ms) => ms.toFixed(1))]
  row(name, ...cells, took, size, isSame ? '✓' : '**no**')
}

async function ask(url: string) {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}`)
  return { body: Buffer.from(await reply.arrayBuffer()), etag: reply.headers.get('etag') }
}
