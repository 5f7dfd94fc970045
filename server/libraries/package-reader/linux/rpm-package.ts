import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { architecturesOf } from './architectures.ts'
import { findHeader, RpmTags } from './rpm-header.ts'
import { rpmIndex, TAG } from './rpm-index.ts'

const LEAD = 0xedabeedb
const LEAD_BYTES = 96

/** Reads the header of an RPM package (rpm.org, "RPM v3 and v4 package format"). */
export async function readRpmPackage(file: PackageFile): Promise<Look> {
  const isOne = file.size >= LEAD_BYTES && (await file.read(0, 4)).readUInt32BE(0) === LEAD
  if (!isOne) throw new Unreadable('This is not an RPM package.')

  const signature = await findHeader(file, LEAD_BYTES)
  const header = await findHeader(file, Math.ceil(signature.end / 8) * 8)
  const tags = await RpmTags.read(file, header)

  const name = tags.text(TAG.name) ?? null
  const facts = {
    ...noFacts('rpm'),
    name,
    app_id: name,
    version: versionOf(tags),
    publisher:
      tags.text(TAG.vendor) ?? tags.text(TAG.packager)?.replace(/\s*<[^<>]*>\s*$/, '') ?? null,
    architectures: architecturesOf(tags.text(TAG.architecture) ?? ''),
  }
  return { facts, icon: null, index: readIndex(() => rpmIndex(tags, header)) }
}

/** `[epoch:]version-release`, as rpm compares it. */
function versionOf(tags: RpmTags): string | null {
  const version = tags.text(TAG.version)
  if (version === undefined) return null
  const epoch = tags.number(TAG.epoch)
  const release = tags.text(TAG.release)
  return (
    (epoch === undefined ? '' : `${epoch}:`) +
    version +
    (release === undefined ? '' : `-${release}`)
  )
}
