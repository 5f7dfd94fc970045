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
  type Repository,
} from '../repository'
import { printLists, printRepo, printRepomd, type Listed } from './print'

/** The project as repositories of rpm-md, for dnf and zypper, one for each channel. */
export const rpm: Repository = async (deps, { entrance, path, address }) => {
  const [first = '', ...rest] = path
  const isText = rest.length === 0 && first.endsWith('.repo')
  const channel = isText ? first.slice(0, -'.repo'.length) : first
  if (!hasChannel(deps, entrance, channel)) return undefined
  if (isText) {
    const { slug } = entrance.project
    const name = channel === 'stable' ? slug : `${slug}-${channel}`
    const key = `${address.slice(0, -'/rpm'.length)}/keys/slipway.asc`
    return { type: 'text/plain; charset=utf-8', content: printRepo(name, address, channel, key) }
  }
  const [folder, version = '', filename, ...more] = rest
  if (folder === 'pool' && filename !== undefined && more.length === 0) {
    const listed = releaseFor(deps, entrance.project, entrance.actor, version)
    return newestOfNames(listed).find((file) => file.filename === filename)
  }
  const key = `rpm/${audienceOf(entrance)}/${channel}`
  const index = await deps.repositories.built.get<BuiltIndex>(key, (before) =>
    build(deps, entrance, channel, key, before),
  )
  const content = index.documents.get(rest.join('/'))
  if (content === undefined) return undefined
  return { type: typeOf(rest.at(-1) ?? ''), content, modifiedAt: index.modifiedAt }
}

const typeOf = (name: string) =>
  name.endsWith('.gz') ? 'application/gzip' : name.endsWith('.xml') ? 'application/xml' : 'application/pgp-keys'

async function build(deps: Deps, entrance: Entrance, channel: string, key: string, before: BuiltIndex | undefined) {
  const printed = Object.entries(printLists(await listPackages(deps, entrance, channel)))
  const digest = hash(JSON.stringify(printed))
  if (before?.digest === digest) return before
  const modifiedAt = await deps.repositories.dates.of(key, digest)
  const documents = new Map<string, string | Buffer>()
  const lists = []
  for (const [type, text] of printed) {
    const packed = await promisify(gzip)(text)
    const sha256 = hash(packed)
    const path = `repodata/${sha256}-${type}.xml.gz`
    documents.set(path, packed)
    const open = { openSize: Buffer.byteLength(text), openSha256: hash(text) }
    lists.push({ type, path, size: packed.length, sha256, ...open })
  }
  const signer = await deps.data.releaseKeys.openpgp()
  const repomd = printRepomd(lists, modifiedAt.getTime() / 1000)
  documents.set('repodata/repomd.xml', repomd)
  documents.set('repodata/repomd.xml.asc', await signer.signDetached(repomd, modifiedAt))
  // zypper looks for the key here.
  documents.set('repodata/repomd.xml.key', signer.publicKey.armored)
  return { digest, modifiedAt, documents }
}

/** The most bytes of an index, before it is printed. */
const MOST_BYTES = 2 * 1024 * 1024

/** The packages of a channel, newest first. Of several with one name, version and architecture, the newest. */
async function listPackages(deps: Deps, entrance: Entrance, channel: string): Promise<Listed[]> {
  const listed: Listed[] = []
  const names = new Set<string>()
  let bytes = 0
  for (const { release, file } of offeredFiles(deps, entrance, channel, ({ facts }) => facts?.kind === 'rpm')) {
    const index = await readIndex(deps, file, 'rpm')
    if (!index || index.architecture === 'src') continue
    bytes += JSON.stringify(index).length
    if (bytes > MOST_BYTES) break
    const name = [index.name, index.epoch, index.version, index.release, index.architecture].join(' ')
    if (names.size === names.add(name).size) continue
    const path = ['pool', release.version, file.filename].map(encodeURIComponent).join('/')
    const addedAt = Math.floor(Date.parse(file.uploadedAt) / 1000)
    listed.push({ index, path, size: file.size, sha256: file.sha256, addedAt })
  }
  return listed
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
