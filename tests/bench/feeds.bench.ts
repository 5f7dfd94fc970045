import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillProjects, PROJECTS } from './feeds/project'
import { head, judge, median, row, times } from './support/figures'
import { findBuilds, startHost } from './support/host'
import { anAccount } from './transfers/slipway'

/**
 * What feeds cost in projects with many releases: `npm run bench -- feeds`. Of each of six kinds every release has one
 * file. BENCH_RELEASES (5,000) makes it shorter.
 */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 5000)
const TURNS = 20

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
    `proof/1.${RELEASES - 1}.0/MANIFEST.minisig`,
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
  const host = await startHost(build, dir)
  const { client } = await anAccount(host.url, undefined, 'user0')
  // Whatever changes in the library, the next request looks whether a feed says something else.
  let count = 0
  const { project } = await client.projects.create({ title: 'Other' })
  const change = () => client.projects.update({ id: project.project_id, description: `Change ${count++}` })
  try {
    console.log(
      `${RELEASES.toLocaleString('en')} releases of six files each, in three projects; medians of ${TURNS} requests.\n`,
    )
    head('feed', 'kB', 'first, ms', 'again, ms', 'after a change, ms', 'time', 'size', 'same bytes')
    for (const [slug, feeds] of Object.entries(FEEDS))
      for (const feed of feeds) await measure(`${host.url}/p/${slug}/feeds/${feed}`, feed, change)
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
