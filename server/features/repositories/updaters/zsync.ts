import { oneLine } from '../../../contract/unseen'
import type { FileRecord } from '../../../data/records/file-records'
import { planZsync } from '../../../data/blobs/block-map/zsync'
import { buildReleasePath } from '../../releases/audience'
import { offeredFiles } from '../packages'
import { hasChannel, type Repository } from '../repository'

/** The fields in the header of a .zsync file. */
interface Head {
  filename: string
  url: string
  size: number
  sha1: string
  /** UTC ISO 8601. */
  modifiedAt: string
}

/** Prints the header of a .zsync file (zsync 0.6.2, zsyncmake). */
export function printZsync({ filename, url, size, sha1, modifiedAt }: Head): string {
  const { block, run, weak, strong } = planZsync(size)
  const fields = {
    zsync: '0.6.2',
    Filename: oneLine(filename),
    MTime: new Date(modifiedAt).toUTCString(),
    Blocksize: block,
    Length: size,
    'Hash-Lengths': [run, weak, strong].join(','),
    URL: url,
    'SHA-1': sha1,
  }

  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}\n`
}

/**
 * Serves the newest AppImage for a processor as `zsync/{channel}/{architecture}`, which Gear Lever
 * reads, and as `{architecture}.zsync` the block sums of the newest AppImage that names zsync.
 */
export const zsync: Repository = async (deps, { audience, path, address, source }) => {
  const [channel = '', name = '', ...more] = path
  const [, architecture, sums] = /^(\w+)(\.zsync)?$/.exec(name) ?? []
  if (architecture === undefined || more.length > 0 || !hasChannel(deps, audience, channel))
    return undefined

  const takes = (file: FileRecord) =>
    source.takes(file) &&
    file.facts?.architectures?.includes(architecture) === true &&
    (sums === undefined || Boolean(file.zsyncSize))

  for (const { release, file } of offeredFiles(audience, channel, takes)) {
    if (sums === undefined) return file

    const content = await deps.files.updates.readZsync(file)
    const { filename, size, sha1, uploadedAt: modifiedAt } = file
    if (!content || sha1 === undefined) continue

    const url = new URL(buildReleasePath(audience, release, file), address).href
    const head = printZsync({ filename, url, size, sha1, modifiedAt })
    return { type: 'application/x-zsync', content: Buffer.concat([Buffer.from(head), content]) }
  }

  return undefined
}
