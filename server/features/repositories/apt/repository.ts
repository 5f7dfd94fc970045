import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { answerFrom, hashOf } from '../answer'
import { inSlice } from '../../../core/time-slices'
import { listPackages, recordsOf } from '../packages'
import { findSigner } from '../signers'
import {
  audienceKey,
  findEncodedInPool,
  hasChannel,
  type Deps,
  type Repository,
} from '../repository'
import { printPackages, printRelease, printSources } from './print'

/** Serves the project as an apt repository: each channel is a suite. */
export const apt: Repository = async (deps, { audience, path, address, visitor }) => {
  const [top = '', channel = '', ...rest] = path
  if (top === 'pool') return findEncodedInPool(audience, path.slice(1))

  const { slug } = audience.project
  if (top === 'dists') {
    if (!hasChannel(deps, audience, channel)) return undefined
    return answerFrom(deps, rest.join('/'), {
      key: `apt/${audienceKey(audience)}/${channel}`,
      begin: { path: /^(?:In)?Release$/, visitor },
      list: async (isBuiltFrom) => {
        const packages = await listPackages(deps, audience, {
          kind: 'deb',
          channel,
          identify: (index) => [index.package, index.version, index.architecture].join(' '),
        })
        const signer = await findSigner(deps, 'openpgp')
        if (isBuiltFrom([slug, signer, ...recordsOf(packages)])) return undefined

        const texts = await inSlice(() => [...printPackages(packages)])
        const lists: List[] = []
        for (const [architecture, text] of texts)
          lists.push(
            await inSlice(() => {
              const plain = Buffer.from(text)
              return { architecture, plain, sha256: hashOf(plain) }
            }),
          )

        return {
          content: { slug, signer, lists: lists.map((it) => [it.architecture, it.sha256]) },
          print: (date) => printSuite(deps, { origin: slug, suite: channel, date }, lists),
        }
      },
    })
  }

  const suite =
    path.length === 1 && top.endsWith('.sources') ? top.slice(0, -'.sources'.length) : ''
  if (!hasChannel(deps, audience, suite)) return undefined

  const { armored } = (await deps.data.releaseKeys.openpgp()).publicKey
  return { type: 'text/plain; charset=utf-8', content: printSources(address, suite, armored) }
}

/** The packages of an architecture. */
interface List {
  architecture: string
  plain: Buffer
  sha256: string
}

/** Compresses and signs the lists. */
async function printSuite(
  deps: Deps,
  suite: { origin: string; suite: string; date: Date },
  packages: readonly List[],
) {
  const documents = new Map<string, string | Buffer>()
  const lists = []

  for (const { architecture, plain, sha256: ofPlain } of packages) {
    const folder = `main/binary-${architecture}`
    const packed = await promisify(gzip)(plain)
    const ofPacked = await inSlice(() => hashOf(packed))

    for (const [name, content, sha256] of [
      ['Packages', plain, ofPlain],
      ['Packages.gz', packed, ofPacked],
    ] as const) {
      documents.set(`${folder}/${name}`, content).set(`${folder}/by-hash/SHA256/${sha256}`, content)
      lists.push({ path: `${folder}/${name}`, size: content.length, sha256 })
    }
  }

  const release = printRelease({
    ...suite,
    architectures: packages.map(({ architecture }) => architecture),
    lists,
  })

  documents.set('Release', release)
  documents.set(
    'InRelease',
    await (await deps.data.releaseKeys.openpgp()).signText(release, suite.date),
  )
  return documents
}
