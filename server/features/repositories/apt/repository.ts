import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { answerFrom, hashOf } from '../answer'
import { listPackages } from '../packages'
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
      list: async () => {
        const packages = await listPackages(deps, audience, {
          kind: 'deb',
          channel,
          identify: (index) => [index.package, index.version, index.architecture].join(' '),
        })
        const lists = [...printPackages(packages)]
        return { content: { slug, lists, signer: await findSigner(deps, 'openpgp') } }
      },
      print: ({ lists }, modifiedAt) =>
        printSuite(deps, { origin: slug, suite: channel, date: modifiedAt }, lists),
    })
  }

  const suite =
    path.length === 1 && top.endsWith('.sources') ? top.slice(0, -'.sources'.length) : ''
  if (!hasChannel(deps, audience, suite)) return undefined

  const { armored } = (await deps.data.releaseKeys.openpgp()).publicKey
  return { type: 'text/plain; charset=utf-8', content: printSources(address, suite, armored) }
}

/** Compresses and signs the lists. `packages`: lists by architecture. */
async function printSuite(
  deps: Deps,
  suite: { origin: string; suite: string; date: Date },
  packages: readonly [architecture: string, text: string][],
) {
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
      const sha256 = hashOf(content)
      documents.set(`${folder}/${name}`, content).set(`${folder}/by-hash/SHA256/${sha256}`, content)
      lists.push({ path: `${folder}/${name}`, size: content.length, sha256 })
    }
  }

  const release = printRelease({
    ...suite,
    architectures: packages.map(([architecture]) => architecture),
    lists,
  })

  documents.set('Release', release)
  documents.set(
    'InRelease',
    await (await deps.data.releaseKeys.openpgp()).signText(release, suite.date),
  )
  return documents
}
