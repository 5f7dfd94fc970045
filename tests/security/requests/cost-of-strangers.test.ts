import { get } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { address } from '../../../renderer/lib/client/api-client'
import {
  ACCESS_NOTE_MAX,
  MB,
  POST_MAX,
  RELEASE_NOTES_MAX,
  REPLY_MAX,
  REPORT_MAX,
  REPORT_REPLIES_MAX,
} from '../../../server/contract'
import { routes } from '../../../server/contract/routes'
import type { RepositoryFormat } from '../../../server/features/repositories/routes'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { somePeople, thingsOf, type People, type Things } from '../../support/access/alices-world'
import { inputs } from '../../support/access/inputs'
import { addHostilePackages } from '../../support/access/hostile-packages'
import { calls, endpointOf } from '../../support/calls'
import { isThreeHosts } from '../../support/cluster/three-hosts'
import { aTar } from '../../support/linux-package'
import { pageOf } from '../../support/reports'
import { longestTick, processorTime, slowness } from '../../support/system/processor-time'
import { aFile, anApp, aPost } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/**
 * What a request of a stranger may take of the thread that serves everyone, in ms, and what all may
 * leave in memory: those for feeds, and all others.
 */
const MOST_MS = 100
const MOST_KEPT = 20 * MB
/** Other work of this thread only adds to a try, so that the least counts. */
const TRIES = 5
/** So many failures are enough to read. */
const MOST_SLOW = 20
/** A download is read to here, in bytes. */
const READ = 256 * 1024

/** A document of each format, of the newest release. */
const documents: Record<RepositoryFormat, (slug: string) => string> = {
  altstore: () => 'stable/source.json',
  apt: () => 'dists/stable/InRelease',
  chromium: () => 'stable/updates.xml',
  'esp-web-tools': () => 'stable/manifest.json',
  esphome: () => 'stable/manifest.json',
  fdroid: () => 'repo/index-v2.json',
  firefox: () => 'stable/updates.json',
  homebrew: (slug) => `stable/${slug}.rb`,
  imager: () => 'stable/os_list.json',
  keys: () => 'slipway.pub',
  npm: () => 'rocket',
  pacman: (slug) => `stable/x86_64/${slug}.db`,
  pip: () => 'stable/rocket/',
  proof: () => '2.0.0/MANIFEST.minisig',
  rpm: () => 'stable/repodata/repomd.xml',
  scoop: (slug) => `stable/${slug}.json`,
  sparkle: () => 'stable/appcast.xml',
  squirrel: () => 'stable/RELEASES',
  tauri: () => 'stable/linux/x86_64/0.0.1',
  vagrant: () => 'stable/box.json',
  winget: () => 'stable/packageManifests/alice.rocket',
  zsync: () => 'stable/x64',
}

/**
 * Every address that anyone may read: the calls of the contract, the pages, and a document of each
 * feed.
 */
function addressesOf(people: People, things: Things): string[] {
  const { slug } = things.project
  const open = calls.filter(
    (call) => endpointOf(call).method === 'GET' && endpointOf(call).access === 'anyone',
  )
  const asked = open.map((call) => {
    const input = inputs[call]({ things, people, by: 'a stranger' })
    return address(endpointOf(call), 'token' in input ? { ...input, token: things.token } : input)
      .url
  })
  const bases = [`/p/${slug}`, `/t/${things.token}`]
  const feeds = Object.entries(documents).flatMap(([format, path]) =>
    bases.map((base) => `${base}/feeds/${format}/${path(slug)}`),
  )
  const pages = Object.values(routes).map((route) =>
    route.replace(/:(slug|id)/, slug).replace(':version', '2.0.0'),
  )
  const images = [
    'tags/list',
    'manifests/latest',
    'manifests/latest-files',
    `manifests/sha256:${'0'.repeat(64)}`,
  ]
  const more = [
    `/v2/${slug}/blobs/sha256:${'0'.repeat(64)}`,
    ...images.map((path) => `/v2/${slug}/${path}`),
  ]
  const queries = [
    `/p/${slug}?since=0.1`,
    `/p/${slug}/releases?page=2`,
    `/api/projects/slug/${slug}?since=0.1`,
  ]
  return [
    ...new Set([
      ...asked,
      ...feeds,
      ...pages,
      ...bases,
      ...more,
      ...queries,
      '/trust',
      '/favicon.svg',
    ]),
  ]
}

/** Of all kinds that made Markdown slow. */
const NOTES = [
  ...['a*', 'a|b\n-|-\n', '- a\n  - b\n', '"', '__a', '___a', '*_a'],
  ...['- ', 'a.', '[', '\\[', '`\\', 'www.'],
].map((text) => text.repeat(RELEASE_NOTES_MAX).slice(0, RELEASE_NOTES_MAX))

/** What Tauri signs with, in the form that its command prints. */
const SIGNATURE = Buffer.from(`untrusted comment: ${'a'.repeat(700)}`).toString('base64')

/** Fills a project with the most hostile contents that its owner may publish. */
async function fill(server: TestServer, { alice }: People, { project }: Things): Promise<void> {
  const { project_id, slug: id } = project
  const publish = { project_id, is_public: true }
  const owner = server.as(alice)
  await addHostilePackages(server, alice, { ...publish, version: '2.0.0' })
  for (let number = 0; number < 20; number++) {
    const of = { ...publish, version: '2.0.0' }
    await aFile(server, alice, { ...of, filename: `rocket-${number}.exe` })
    const facts = { ...noFacts('ipa'), app_id: 'org.rocket', build: String(number) }
    if (number < 10) await anApp(server, alice, { ...of, filename: `rocket-${number}.ipa` }, facts)
  }
  for (let number = 0; number < 8; number++) {
    const manifests = Array.from({ length: 40_000 }, () => ({ digest: `sha256:${'a'.repeat(64)}` }))
    const index = Buffer.from(JSON.stringify({ number, manifests }))
    const parts = [
      aTar('oci-layout', Buffer.from('{}')).subarray(0, -1024),
      aTar('index.json', index),
    ]
    const bytes = new Uint8Array(Buffer.concat(parts))
    await aFile(server, alice, {
      ...publish,
      version: '2.0.0',
      filename: `${number}.oci.tar`,
      bytes,
    })
  }
  for (const [number, notes] of NOTES.entries()) {
    const version = `1.${number}.0`
    const files = ['dmg', 'xpi', 'nupkg', 'msi'].map((it) => ({
      filename: `rocket-${number}.${it}`,
    }))
    const signature = { filename: `rocket-${number}.msi.sig`, bytes: SIGNATURE }
    for (const file of [...files, signature])
      await aFile(server, alice, { ...publish, version, ...file })
    for (const kind of ['box', 'img'] as const) {
      const facts = { ...noFacts(kind), min_os: 'virtualbox' }
      await anApp(
        server,
        alice,
        { ...publish, version, filename: `rocket-${number}.${kind}` },
        facts,
      )
    }
    await owner.releases.update({ id, version, notes: `${notes.slice(0, -2)}${number}` })
    await aPost(server, alice, project, notes.slice(0, POST_MAX))
  }
  await owner.releases.update({ id, version: '2.0.0', notes: NOTES[0] ?? '' })
  await owner.projects.update({ id, description: NOTES[1]?.slice(0, 5000) ?? '' })
}

/** Fills what people without an account have by a link, and returns the addresses of its pages. */
async function fillLinks(server: TestServer, { alice }: People, things: Things): Promise<string[]> {
  const { slug: id } = things.project
  const owner = server.as(alice)
  const text = (length: number, number = 0) => NOTES[number % NOTES.length]!.slice(0, length)
  await owner.reports.configure({ id, reporters: 'everyone' })
  await owner.accessRequests.configure({ id, is_open: true, note: text(ACCESS_NOTE_MAX) })

  const report = await pageOf(server, `/t/${things.token}`, { fields: { text: text(REPORT_MAX) } })
  const [newest] = (await owner.reports.list({ id })).reports
  for (let number = 0; number < REPORT_REPLIES_MAX; number++) {
    const reply = { id, reportId: newest!.report_id, text: text(REPLY_MAX, number) }
    await owner.reports.reply(reply)
  }
  const { preview } = await owner.previews.put({ id, name: 'pr-1', title: '*_a'.repeat(40) })

  return [
    ...[report, `${report}/atom.xml`, new URL(preview.url!).pathname, `/t/${things.askerToken}`],
    ...[`/t/${things.token}/report`, `/n/${things.noticeToken}`],
    ...[`/s/${things.shareToken}`, `/u/${things.requestToken}`],
  ]
}

const long = (text: string) => text.repeat(Math.floor(15_000 / text.length))
const QUERIES = [long('a&'), long('version=b&'), 'since=%F0%9F%98%80&'.repeat(49)].map(
  (query) => `?${query}`,
)
const HEADERS: Record<string, string>[] = [
  { accept: long('text/html;q=0.1,') },
  { accept: long(',') },
  { 'accept-encoding': long('gzip;q=0.5,') },
  { 'accept-language': long('de-DE,') },
  { authorization: `Basic ${long('YTph')}` },
  { authorization: `Bearer ${long(' ')}` },
  { cookie: long('slipway.sid=x; ') },
  { 'if-match': long('"a", ') },
  { 'if-none-match': long('W/"a",') },
  { origin: long('http://a.') },
  { range: `bytes=${long('0-0,')}` },
  { referer: `http://${long('a.')}` },
  { 'user-agent': long('Android 1; (') },
  { 'x-api-key': long('slw_') },
  { 'x-forwarded-for': long('::1,') },
]

type Asked = [path: string, headers?: Record<string, string>]

/** The same address with each of the queries and of the headers. */
function hostileRequests(path: string): Asked[] {
  const [bare = ''] = path.split('?')
  return [
    ...QUERIES.map((query): Asked => [bare + query]),
    ...HEADERS.map((headers): Asked => [path, headers]),
  ]
}

/** Asks, and reads the beginning of the reply. */
const ask = ({ port }: TestServer, ...[path, headers = {}]: Asked): Promise<number> =>
  new Promise((resolve, reject) => {
    let read = 0
    const request = get({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read > READ) response.destroy()
      })
      response.on('error', () => undefined).on('close', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
  })

/** The least processor time of some tries, each after `before`. One within the limit is enough. */
async function leastTime(
  work: () => Promise<unknown>,
  before: () => Promise<unknown>,
): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < TRIES && least > MOST_MS; tries++) {
    await before()
    least = Math.min(least, await onQuiet(await processorTime(work)))
  }
  return least
}

/** What a time within no limit would be on a quiet machine. */
const onQuiet = async (ms: number) => (ms <= MOST_MS ? ms : ms / (await slowness()))

function memoryKept(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// There the hosts are other processes.
test.skipIf(isThreeHosts)(
  'no request of a stranger takes long or leaves much in memory',
  async ({ server }) => {
    const people = await somePeople(server)
    const [tame, hostile] = [
      await thingsOf(server, people, true),
      await thingsOf(server, people, true),
    ]
    await fill(server, people, hostile)
    const byLink = await fillLinks(server, people, hostile)
    for (const path of byLink) expect([path, await ask(server, path)]).toEqual([path, 200])
    // Loads what is loaded on demand.
    for (const path of addressesOf(people, tame)) await ask(server, path)
    const { users, library } = server.inside
    const host = users.find(people.host.id)!
    const change = () =>
      library.transact((tx) => tx.put(library.collection('users'), host.id, { ...host }))
    const nothing = () => Promise.resolve()
    const before = memoryKept()

    const slow: [what: string, ms: number][] = []
    const slowAtFirst: string[] = []
    const note = (what: string, ms: number) =>
      void (ms > MOST_MS && slow.push([what, Math.round(ms)]))
    const isFeed = (path: string) => path.includes('/feeds/')
    const addresses = [...addressesOf(people, hostile), ...byLink].sort(
      (a, b) => Number(isFeed(a)) - Number(isFeed(b)),
    )
    let kept = 0
    for (const path of addresses) {
      if (slow.length > MOST_SLOW) break
      if (kept === 0 && isFeed(path)) kept = memoryKept() - before
      // Nothing of it is cached yet, as after a start.
      if ((await longestTick(() => ask(server, path))) > MOST_MS) slowAtFirst.push(path)
      note(path, await leastTime(() => ask(server, path), change))
      // Below a tester link, and on pages by which people answer, the same code reads a request.
      const isLink = /^\/[rt]\//.test(path) && byLink.includes(path)
      if (isLink || /^\/t\/[^/]+\/./.test(path)) continue

      const hostile = hostileRequests(path)
      // Most take so little that all together stay within the limit of one.
      const together = () => Promise.all(hostile.map((request) => ask(server, ...request)))
      if ((await processorTime(together)) <= MOST_MS) continue
      for (const request of hostile)
        note(
          JSON.stringify(request).slice(0, 120),
          await leastTime(() => ask(server, ...request), nothing),
        )
    }

    const memory = memoryKept() - before - kept
    // Again as after a start: a busy machine can slow a try down.
    let running = server
    for (const path of slowAtFirst.slice(0, MOST_SLOW)) {
      let least = Infinity
      for (let tries = 0; tries < TRIES && least > MOST_MS; tries++) {
        await running.close()
        running = await server.restart()
        least = Math.min(least, await onQuiet(await longestTick(() => ask(running, path))))
      }
      note(`first ${path}`, least)
    }

    expect(slow).toEqual([])
    expect(kept).toBeLessThan(MOST_KEPT)
    expect(memory).toBeLessThan(MOST_KEPT)
    expect(addresses.length).toBeGreaterThan(128)
  },
  // The limits are processor time, so that a busy machine may take long.
  300_000,
)
