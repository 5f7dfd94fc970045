import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Entrance } from '../../releases/entrance'
import { releaseFor } from '../../releases/listing'
import {
  audienceOf,
  type BuiltIndex,
  hasChannel,
  newestOfNames,
  offeredFiles,
  readIndex,
  type Deps,
  type Printed,
  type Repository,
} from '../repository'
import { printPackages, printRelease, printSources, type Listed } from './print'

/** The project as an apt repository: each channel is a suite. */
export const apt: Repository = async (deps, { entrance, path, address }) => {
  const [top = '', second = '', ...rest] = path
  if (top === 'dists') return suiteDocument(deps, entrance, second, rest.join('/'))
  if (top === 'pool' && rest.length === 1) {
    const listed = releaseFor(deps, entrance.project, entrance.actor, second)
    return newestOfNames(listed).find(({ filename }) => filename === rest[0])
  }
  const channel = path.length === 1 && top.endsWith('.sources') ? top.slice(0, -'.sources'.length) : ''
  if (!hasChannel(deps, entrance, channel)) return undefined
  const { armored } = (await deps.data.releaseKeys.openpgp()).publicKey
  return { type: 'text/plain; charset=utf-8', content: printSources(address, channel, armored) }
}

async function suiteDocument(
  deps: Deps,
  entrance: Entrance,
  channel: string,
  path: string,
): Promise<Printed | undefined> {
  if (!hasChannel(deps, entrance, channel)) return undefined
  const key = `apt/${audienceOf(entrance)}/${channel}`
  const suite = await deps.repositories.built.get<BuiltIndex>(key, (before) =>
    build(deps, entrance, channel, key, before),
  )
  const content = suite.documents.get(path)
  const type = path.endsWith('.gz') ? 'application/gzip' : 'text/plain; charset=utf-8'
  return content === undefined ? undefined : { type, content, modifiedAt: suite.modifiedAt }
}

async function build(deps: Deps, entrance: Entrance, channel: string, key: string, before: BuiltIndex | undefined) {
  const { project } = entrance
  const packages = printPackages(await listPackages(deps, entrance, channel))
  const digest = hash(JSON.stringify([project.slug, ...packages]))
  if (before?.digest === digest) return before
  const modifiedAt = await deps.repositories.dates.of(key, digest)
  const documents = new Map<string, string | Buffer>()
  const lists = []
  for (const [architecture, text] of packages) {
    const folder = `main/binary-${architecture}`
    const plain = Buffer.from(text)
    const packed = await promisify(gzip)(plain)
    for (const [name, content] of [
      ['Packages', plain],
      ['Packages.gz', packed],
    ] as const) {
      const sha256 = hash(content)
      documents.set(`${folder}/${name}`, content).set(`${folder}/by-hash/SHA256/${sha256}`, content)
      lists.push({ path: `${folder}/${name}`, size: content.length, sha256 })
    }
  }
  const release = printRelease({
    origin: project.slug,
    suite: channel,
    date: modifiedAt,
    architectures: [...packages.keys()],
    lists,
  })
  documents.set('Release', release)
  documents.set('InRelease', await (await deps.data.releaseKeys.openpgp()).signText(release, modifiedAt))
  return { digest, modifiedAt, documents }
}

/** The most bytes of control texts in an index. */
const MOST_BYTES = 2 * 1024 * 1024

/** The packages of a channel, newest first. Of several with one name, version and architecture, the newest. */
async function listPackages(deps: Deps, entrance: Entrance, channel: string): Promise<Listed[]> {
  const listed: Listed[] = []
  const names = new Set<string>()
  let bytes = 0
  for (const { release, file } of offeredFiles(deps, entrance, channel, ({ facts }) => facts?.kind === 'deb')) {
    const index = await readIndex(deps, file, 'deb')
    if (!index) continue
    bytes += index.control.length
    if (bytes > MOST_BYTES) break
    const name = [index.package, index.version, index.architecture].join(' ')
    if (names.size === names.add(name).size) continue
    const path = ['pool', release.version, file.filename].map(encodeURIComponent).join('/')
    listed.push({ index, path, size: file.size, sha256: file.sha256 })
  }
  return listed
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
