import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FileRecord } from '../../../data/records/file-records'
import { answerFrom } from '../answer'
import { groupByArchitecture } from '../architectures'
import { inSlice } from '../../../core/time-slices'
import { listPackages, recordsOf, type Package } from '../packages'
import { findSigner } from '../signers'
import { audienceKey, hasChannel, type Deps, type Repository } from '../repository'
import { compareAsPacman } from './compare'
import { toFilename, packDatabase, printConfig, printDesc } from './print'

/** Architectures that always get a database, because clients ask for their own. */
const USUAL = ['aarch64', 'x86_64']
/** The maximum length of a folder's name in the header of a tar. */
const MOST_NAME = 155

/**
 * Serves the project as pacman repositories, one per channel, with a folder for each architecture.
 */
export const pacman: Repository = async (deps, { audience, path, address, visitor }) => {
  const [first = '', ...rest] = path
  const isText = rest.length === 0 && first.endsWith('.conf')
  const channel = isText ? first.slice(0, -'.conf'.length) : first
  if (!hasChannel(deps, audience, channel)) return undefined

  const { slug } = audience.project
  const name = channel === 'stable' ? slug : `${slug}-${channel}`

  if (isText)
    return {
      type: 'text/plain; charset=utf-8',
      content: printConfig(name, `${address}/${channel}`),
    }

  return answerFrom(deps, rest.join('/'), {
    key: `pacman/${audienceKey(audience)}/${channel}`,
    begin: { path: /\.(?:db|files)$/, visitor },
    list: async (isBuiltFrom) => {
      const packages = await listPackages(deps, audience, { kind: 'pacman', channel, identify })
      const signer = await findSigner(deps, 'openpgp')
      if (isBuiltFrom([slug, signer, ...recordsOf(packages)])) return undefined

      const { folders, files } = await listFolders(packages)
      return {
        content: { slug, folders, signer },
        files,
        print: (modifiedAt) => print(deps, name, folders, modifiedAt),
      }
    },
  })
}

const identify = (index: Package<'pacman'>['index']) =>
  folderOf(index).length <= MOST_NAME ? `${folderOf(index)} ${index.architecture}` : undefined

async function print(deps: Deps, name: string, folders: readonly Folder[], modifiedAt: Date) {
  const signer = await deps.data.releaseKeys.openpgp()
  const documents = new Map<string, Buffer>()

  for (const [architecture, entries] of folders) {
    const database = await promisify(gzip)(await inSlice(() => packDatabase(entries)))
    const signature = await signer.signBinary(database, modifiedAt)
    // `pacman -Fy` fails without the second. It names no files: the host has not read them.
    for (const extension of ['db', 'files'])
      documents
        .set(`${architecture}/${name}.${extension}`, database)
        .set(`${architecture}/${name}.${extension}.sig`, signature)
  }

  return documents
}

/** The packages of an architecture. */
type Folder = [architecture: string, entries: [folder: string, desc: string][]]

/**
 * Lists the newest version of each package for each architecture, as a database allows only one,
 * and the files of all versions.
 */
async function listFolders(packages: readonly Package<'pacman'>[]) {
  const lengthOf = ({ index }: Package<'pacman'>) => index.info.length
  const groups = groupByArchitecture(packages, { usual: USUAL, forAll: 'any', lengthOf })
  const files = new Map<string, FileRecord>()
  const descs = new Map<Package<'pacman'>, string>()
  const folders: Folder[] = []

  for (const [architecture, group] of groups) {
    const newest = new Map<string, Package<'pacman'>>()
    for (const listed of group) {
      const { index, file } = listed
      files.set(`${architecture}/${toFilename(index, file.filename)}`, file)

      const before = newest.get(index.name)
      if (!before || compareAsPacman(index.version, before.index.version) > 0)
        newest.set(index.name, listed)
    }

    for (const listed of newest.values())
      if (!descs.has(listed)) descs.set(listed, await inSlice(() => printDesc(listed)))
    const entries = [...newest.values()].map((listed): Folder[1][number] => [
      folderOf(listed.index),
      descs.get(listed) ?? '',
    ])
    folders.push([architecture, entries])
  }

  return { folders, files }
}

const folderOf = ({ name, version }: Package<'pacman'>['index']) => `${name}-${version}`
