import { PartOfPackage, readIndex, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { isSmallPng } from '../../../core/small-png.ts'
import { isJarSignature, readJarSignature } from '../zip/jar-signature.ts'
import { readMembers, unpackMember, type Members } from '../zip/zip-package.ts'
import { apkIndex } from './apk-index.ts'
import { readSignature } from './apk-signature.ts'
import { binaryElements } from './binary-xml.ts'
import { describeManifest, parseManifest, type Value } from './manifest.ts'
import { ResourceTable } from './resource-table.ts'

const MANIFEST = 'AndroidManifest.xml'
const RESOURCES = 'resources.arsc'
const LIBRARY = /^lib\/([^/]+)\/[^/]+$/

/** Limit in bytes. The largest apps have about 10 MB, uncompressed. */
const MOST_RESOURCES = 16 * 1024 * 1024
const MOST_ICON = 512 * 1024
const MOST_ICONS = 4
/** Attribute `android:drawable` of the foreground of an adaptive icon. */
const DRAWABLE = 0x01010199

/** Reads an APK, also one within another package. */
export async function readApk(file: PackageFile): Promise<Look> {
  const abis = new Set<string>()
  const members = await readMembers(file, (name) => {
    const abi = LIBRARY.exec(name)?.[1]
    if (abi !== undefined) abis.add(abi)
    return name === MANIFEST || name === RESOURCES || isJarSignature(name) ? 'keep' : 'skip'
  })

  const entry = members.get(MANIFEST)
  if (!entry) throw new Unreadable('This is not an Android app: it has no manifest.')
  const manifest = parseManifest(binaryElements(await unpackMember(file, entry)))

  if (manifest.split !== null)
    throw new PartOfPackage(
      'This is a part of an Android app, which cannot be installed alone. Upload the APK set ' +
        'instead.',
    )

  const signature = await readSignature(file, await readJarSignature(file, members))
  const resources = await readResources(file, members)
  const facts = {
    ...describeManifest('apk', manifest, signature),
    name: await resolveText(manifest.label, resources),
    version: await resolveText(manifest.versionName, resources),
    architectures: architecturesOf(abis),
  }

  return {
    facts,
    icon: resources && (await readIcon(file, manifest.icon, resources)),
    index: readIndex(() => apkIndex(manifest, { facts, signature, abis })),
  }
}

const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['armeabi', 'arm'],
  ['armeabi-v7a', 'arm'],
  ['arm64-v8a', 'arm64'],
  ['x86_64', 'x64'],
])

/** Maps Android ABI names to architectures. */
export function architecturesOf(abis: Iterable<string>): string[] {
  const names = [...abis].map((abi) => ARCHITECTURES.get(abi) ?? abi)
  return [...new Set(names)].filter((name) => /^[\w-]{1,20}$/.test(name)).toSorted()
}

/**
 * Null if there are none, or they cannot be read: an app without its label and icon is still known.
 */
async function readResources(file: PackageFile, members: Members): Promise<ResourceTable | null> {
  const entry = members.get(RESOURCES)
  return entry
    ? optional(async () => new ResourceTable(await unpackMember(file, entry, MOST_RESOURCES)))
    : null
}

async function resolveText(
  value: Value | null,
  resources: ResourceTable | null,
): Promise<string | null> {
  if (typeof value !== 'object') return String(value)
  return resources && optional(() => resources.textOf(value))
}

async function readIcon(
  file: PackageFile,
  icon: Value | null,
  resources: ResourceTable,
): Promise<Buffer | null> {
  return optional(async () => {
    const files = resources.resolveFiles(icon)
    const pictures = await readPictures(file, files)
    const png = pictures.find(isSmallPng)
    if (png) return png

    // An adaptive icon is a drawing that names its layers; the foreground has the logo.
    const drawing = files.at(-1)?.endsWith('.xml') ? pictures.at(-1) : undefined
    const [foreground] = drawing ? foregroundsIn(drawing) : []
    const layers = foreground ? await readPictures(file, resources.resolveFiles(foreground)) : []
    return layers.find(isSmallPng) ?? null
  })
}

/**
 * The first files and the last one, which may be a drawing. Those that are missing or too large are
 * left out.
 */
async function readPictures(file: PackageFile, files: readonly string[]): Promise<Buffer[]> {
  const names = new Set([...files.slice(0, MOST_ICONS), ...files.slice(-1)])
  const members = await readMembers(file, (name) => (names.has(name) ? 'keep' : 'skip'))
  const entries = [...names].map((name) => members.get(name)).filter((entry) => entry !== undefined)
  const pictures: Buffer[] = []
  for (const entry of entries)
    if (entry.uncompressedSize <= MOST_ICON)
      pictures.push(await unpackMember(file, entry, MOST_ICON))
  return pictures
}

function* foregroundsIn(drawing: Buffer): Generator<Value> {
  for (const element of binaryElements(drawing)) {
    const drawable = element.name() === 'foreground' ? element.get(DRAWABLE) : null
    if (drawable !== null) yield drawable
  }
}
