import type { FileRecord } from '../../../data/records/file-records'
import { answerFrom } from '../answer'
import { listPackages, type Package } from '../packages'
import { findSigner } from '../signers'
import { audienceKey, hasChannel, type Deps, type Repository } from '../repository'
import type { Audience } from '../../releases/audience'
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
    list: () => listAll(deps, audience, channel),
    print: async ({ folders }, modifiedAt) => {
      const signer = await deps.data.releaseKeys.openpgp()
      const documents = new Map<string, Buffer>()
      for (const [architecture, entries] of folders) {
        const database = packDatabase(entries)
        const signature = await signer.signBinary(database, modifiedAt)
        // `pacman -Fy` fails without the second. It names no files: the host has not read them.
        for (const extension of ['db', 'files'])
          documents
            .set(`${architecture}/${name}.${extension}`, database)
            .set(`${architecture}/${name}.${extension}.sig`, signature)
      }
      return documents
    },
  })
}

/**
 * Lists the newest version of each package for each architecture, as a database allows only one,
 * and the files of all versions.
 */
async function listAll(deps: Deps, audience: Audience, channel: string) {
  const packages = await listPackages(deps, audience, {
    kind: 'pacman',
    channel,
    identify: (index) =>
      folderOf(index).length <= MOST_NAME ? `${folderOf(index)} ${index.architecture}` : undefined,
  })

  const architectures = new Set([...USUAL, ...packages.map(({ index }) => index.architecture)])
  architectures.delete('any')

  const files = new Map<string, FileRecord>()
  const folders = [...architectures].sort().map((architecture): [string, [string, string][]] => {
    const newest = new Map<string, Package<'pacman'>>()

    for (const listed of packages) {
      const { index, file } = listed
      if (index.architecture !== architecture && index.architecture !== 'any') continue

      files.set(`${architecture}/${toFilename(index, file.filename)}`, file)

      const before = newest.get(index.name)
      if (!before || compareAsPacman(index.version, before.index.version) > 0)
        newest.set(index.name, listed)
    }

    const entries = [...newest.values()].map((listed): [string, string] => [
      folderOf(listed.index),
      printDesc(listed),
    ])
    return [architecture, entries]
  })

  const content = {
    slug: audience.project.slug,
    folders,
    signer: await findSigner(deps, 'openpgp'),
  }
  return { content, files }
}

const folderOf = ({ name, version }: Package<'pacman'>['index']) => `${name}-${version}`
