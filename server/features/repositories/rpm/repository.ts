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
import { printLists, printPackage, printRepo, printRepomd } from './print'

/** Serves the project as rpm-md repositories for dnf and zypper, one per channel. */
export const rpm: Repository = async (deps, { audience, path, address, visitor }) => {
  const [first = '', ...rest] = path
  const isText = rest.length === 0 && first.endsWith('.repo')
  const channel = isText ? first.slice(0, -'.repo'.length) : first
  if (!hasChannel(deps, audience, channel)) return undefined

  if (isText) {
    const { slug } = audience.project
    const name = channel === 'stable' ? slug : `${slug}-${channel}`
    const key = `${address.slice(0, -'/rpm'.length)}/keys/slipway.asc`
    return { type: 'text/plain; charset=utf-8', content: printRepo(name, address, channel, key) }
  }

  if (rest[0] === 'pool') return findEncodedInPool(audience, rest.slice(1))

  return answerFrom(deps, rest.join('/'), {
    key: `rpm/${audienceKey(audience)}/${channel}`,
    begin: { path: /^repodata\/repomd\.xml$/, visitor },
    list: async (isBuiltFrom) => {
      const packages = await listPackages(deps, audience, {
        kind: 'rpm',
        channel,
        identify: ({ name, epoch, version, release, architecture }) =>
          architecture === 'src'
            ? undefined
            : [name, epoch, version, release, architecture].join(' '),
      })
      const signer = await findSigner(deps, 'openpgp')
      if (isBuiltFrom([signer, ...recordsOf(packages)])) return undefined

      const printed: ReturnType<typeof printPackage>[] = []
      for (const listed of packages) printed.push(await inSlice(() => printPackage(listed)))
      const lists: List[] = []
      for (const [type, text] of Object.entries(await inSlice(() => printLists(printed))))
        lists.push(
          await inSlice(() => {
            const plain = Buffer.from(text)
            return { type, plain, openSha256: hashOf(plain) }
          }),
        )

      return {
        content: { signer, lists: lists.map((it) => [it.type, it.openSha256]) },
        print: (modifiedAt) => printRepository(deps, lists, modifiedAt),
      }
    },
  })
}

interface List {
  type: string
  plain: Buffer
  openSha256: string
}

/** Compresses and signs the lists. */
async function printRepository(deps: Deps, printed: readonly List[], modifiedAt: Date) {
  const documents = new Map<string, string | Buffer>()
  const lists = []

  for (const { type, plain, openSha256 } of printed) {
    const packed = await promisify(gzip)(plain)
    const sha256 = await inSlice(() => hashOf(packed))
    const path = `repodata/${sha256}-${type}.xml.gz`

    documents.set(path, packed)
    const open = { openSize: plain.length, openSha256 }
    lists.push({ type, path, size: packed.length, sha256, ...open })
  }

  const signer = await deps.data.releaseKeys.openpgp()
  const repomd = printRepomd(lists, modifiedAt.getTime() / 1000)

  documents.set('repodata/repomd.xml', repomd)
  documents.set('repodata/repomd.xml.asc', await signer.signDetached(repomd, modifiedAt))
  // zypper expects the key here.
  documents.set('repodata/repomd.xml.key', signer.publicKey.armored)

  return documents
}
