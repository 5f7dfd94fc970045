import { oneLine } from '../../contract/unseen'
import type { Audience } from '../releases/audience'
import type { ListedRelease } from '../projects/project-view'
import { minisignPublicKey, signMinisign } from '../../libraries/minisign/minisign'
import { sha256Sums, SUMS } from '../files/sha256-sums'
import { findInPool, newestOfNames, type Repository } from './repository'

export const MANIFEST = 'MANIFEST'

/**
 * Serves the proofs of a release below `proof/{version}/`: its manifest with a minisign signature,
 * SHA256SUMS with a detached OpenPGP signature, and the files.
 */
export const proofs: Repository = async (deps, { audience, path }) => {
  const [version, name, ...more] = path
  if (version === undefined || name === undefined || more.length > 0) return undefined

  const listed = audience.view.release(version)
  const content = name.startsWith(MANIFEST) ? buildManifest(audience, listed) : buildSums(listed)
  const text = (signed: string | Buffer) => ({ type: 'text/plain; charset=utf-8', content: signed })
  const { releaseKeys } = deps.data

  if (name === MANIFEST || name === SUMS) return text(content)

  if (name === `${MANIFEST}.minisig`) {
    const at = Math.floor(findNewestDate(listed).getTime() / 1000)
    const comment = [
      `timestamp:${at}`,
      `file:${MANIFEST}`,
      `project:${audience.project.slug}`,
      `version:${oneLine(version)}`,
    ].join('\t')
    return text(signMinisign(await releaseKeys.minisign(), content, comment))
  }
  // systemd-pull asks for `.gpg`, and for the files beside it.
  if (name === `${SUMS}.asc` || name === `${SUMS}.gpg`)
    return text(await (await releaseKeys.openpgp()).signDetached(content, findNewestDate(listed)))
  return findInPool(audience, path)
}

/** Serves the public keys of this host below `keys/`. */
export const keys: Repository = async ({ data: { releaseKeys } }, { path }) => {
  const [name] = path
  if (path.length !== 1) return undefined

  if (name === 'slipway.pub') {
    const key = await releaseKeys.minisign()
    return {
      type: 'text/plain; charset=utf-8',
      content:
        `untrusted comment: minisign public key ${key.id.toUpperCase()}\n` +
        `${minisignPublicKey(key)}\n`,
    }
  }

  if (name !== 'slipway.asc' && name !== 'slipway.gpg') return undefined
  const { armored, binary } = (await releaseKeys.openpgp()).publicKey
  return { type: 'application/pgp-keys', content: name === 'slipway.asc' ? armored : binary }
}

/** Returns the newest date of the release and its files. */
function findNewestDate({ release, files }: ListedRelease): Date {
  const dates = [release.publishedAt ?? release.createdAt, ...files.map(({ link }) => link.addedAt)]
  return new Date(Math.max(...dates.map((date) => Date.parse(date))))
}

function buildSums(listed: ListedRelease): Buffer {
  const files = newestOfNames(listed)
  return sha256Sums(
    files,
    files.map(({ filename }) => filename),
  )
}

/**
 * Describes a release as text: fields, an empty line, and for each file a line of SHA256SUMS plus
 * the size.
 */
function buildManifest({ project }: Audience, listed: ListedRelease): Buffer {
  const { version, channel, publishedAt, createdAt } = listed.release
  const fields = {
    format: 'slipway-manifest-1',
    project: project.slug,
    title: oneLine(project.title),
    version: oneLine(version),
    channel,
    published: publishedAt ?? createdAt,
  }

  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  const files = newestOfNames(listed).map(
    ({ sha256, size, filename }) => `${sha256}  ${size}  ${oneLine(filename)}\n`,
  )

  return Buffer.from([...head, '\n', ...files].join(''))
}
