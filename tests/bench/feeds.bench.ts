import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillProjects, PROJECTS } from './feeds/project'
import { head, judge, median, row, times } from './support/figures'
import { findBuilds, startHost, type Host } from './support/host'
import { during, load, type Question } from './support/load'
import { anAccount } from './transfers/slipway'

/**
 * What feeds cost in projects with many releases: `npm run bench -- feeds`. Of each of six kinds
 * every release has one file. BENCH_RELEASES (5,000) makes it shorter.
 */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 5000)
const TURNS = 20
/** How many starts of the host the first request of each feed is measured at. */
const STARTS = 3
/** How long the host answers small requests before, in ms: it loads its keys meanwhile. */
const SETTLE_MS = 1000
const NEWEST = `1.${RELEASES - 1}.0`

const FEEDS: Readonly<Record<keyof typeof PROJECTS, readonly string[]>> = {
  rocket: [
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
    `proof/${NEWEST}/MANIFEST.minisig`,
  ],
  desktop: [
    'sparkle/stable/appcast.xml',
    'altstore/stable/source.json',
    'winget/stable/desktop.yaml',
    'winget/stable/packageManifests/user0.desktop',
    'scoop/stable/desktop.json',
    'scoop/stable.git/info/refs',
    'homebrew/stable/desktop.rb',
    'homebrew/stable.git/info/refs',
    'vagrant/stable/box.json',
    'firefox/stable/updates.json',
    'chromium/stable/updates.xml',
  ],
  devices: [
    'tauri/stable/latest.json',
    'squirrel/stable/RELEASES',
    'zsync/stable/x64.zsync',
    'imager/stable/os_list.json',
    'esp-web-tools/stable/manifest.json',
    'esphome/stable/manifest.json',
  ],
}

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-feeds-'))
const [build] = await findBuilds()
try {
  await fillProjects(dir, RELEASES)
  console.log(
    `${RELEASES.toLocaleString('en')} releases of six files each, in three projects; medians of ${STARTS} starts and of ${TURNS} requests. "Others" is the longest that a small request waited beside the first one, at another start.\n`,
  )
  head(
    'feed',
    'kB',
    'first, ms',
    'others, ms',
    'again, ms',
    'after a change, ms',
    'first',
    'others',
    'later',
    'size',
    'same bytes',
  )
  await withHost(makeKeys)
  const feeds = Object.entries(FEEDS).flatMap(([slug, names]) =>
    names.map((name) => ({ slug, name })),
  )
  const firsts = new Map<Feed, First>()
  for (const feed of feeds) firsts.set(feed, await measureStarts(feed))
  await withHost(async ({ url }) => {
    const { client } = await anAccount(url, undefined, 'user0')
    // Whatever changes in the library, the next request looks whether a feed says something else.
    let count = 0
    const { project } = await client.projects.create({ title: 'Other' })
    const change = () =>
      client.projects.update({ id: project.project_id, description: `Change ${count++}` })
    for (const [feed, first] of firsts)
      await measure(addressOf(url, feed), feed.name, first, change)
  })
} finally {
  await rm(dir, { recursive: true, force: true })
}

interface Feed {
  slug: string
  name: string
}

/** The first request of a feed after a start, and the longest wait of others meanwhile, in ms. */
interface First {
  took: number
  others: number
}

function addressOf(url: string, { slug, name }: Feed): string {
  return `${url}/p/${slug}/feeds/${name}`
}

async function withHost(work: (host: Host) => Promise<unknown>): Promise<void> {
  const host = await startHost(build, dir)
  try {
    await work(host)
  } finally {
    await host.stop()
  }
}

/** A host makes each of its keys once: when somebody first looks at a page that shows it. */
async function makeKeys({ url }: Host): Promise<void> {
  for (const name of [
    'apt/dists/stable/InRelease',
    'fdroid/repo/entry.jar',
    `proof/${NEWEST}/MANIFEST.minisig`,
  ])
    await ask(addressOf(url, { slug: 'rocket', name }))
}

/**
 * At each start once, alone; then at another one beside small requests, which take time of their
 * own.
 */
async function measureStarts(feed: Feed): Promise<First> {
  const took: number[] = []
  const askFirst = async (url: string) =>
    took.push(...(await times(1, () => ask(addressOf(url, feed)))))
  for (let n = 0; n < STARTS; n++)
    await withHost(async ({ url }) => {
      // The first request of all has costs that are none of the feed.
      await load(smallRequests(url), during(SETTLE_MS))
      await askFirst(url)
    })
  const first = median(took)
  let others: number[] = []
  await withHost(async ({ url }) => {
    await load(smallRequests(url), during(SETTLE_MS))
    let isOver = false
    const answered = load(smallRequests(url), () => isOver)
    await askFirst(url)
    isOver = true
    others = await answered
  })
  return { took: first, others: Math.max(...others) }
}

function smallRequests(url: string): Question {
  return { url: `${url}/api/health`, clients: 1, pauseMs: 2 }
}

async function measure(
  url: string,
  name: string,
  first: First,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await ask(url)
  const warm = median(await times(TURNS, () => ask(url)))
  const changed: number[] = []
  for (let n = 0; n < TURNS; n++) {
    await change()
    changed.push(...(await times(1, () => ask(url))))
  }
  const after = await ask(url)
  const isSame = before.etag === after.etag && before.body.equals(after.body)
  // Decision 102 says why the first one may take longer.
  const goals = [
    judge('≤ 150 ms', first.took),
    judge('≤ 50 ms', first.others),
    judge('≤ 50 ms', Math.max(warm, median(changed))),
    judge('≤ 5 MB', before.body.length / 1e6),
  ]
  const figures = [first.took, first.others, warm, median(changed)].map((ms) => ms.toFixed(1))
  row(name, (before.body.length / 1000).toFixed(0), ...figures, ...goals, isSame ? '✓' : '**no**')
}

async function ask(url: string) {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}`)
  return { body: Buffer.from(await reply.arrayBuffer()), etag: reply.headers.get('etag') }
}
