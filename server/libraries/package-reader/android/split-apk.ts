import type { Facts } from '../../../contract/files/facts'
import { isSmallPng } from '../../../core/small-png.ts'
import { parseJson } from '../json-text.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { openMember, readMembers, unpackMember } from '../zip/zip-package.ts'
import { androidVersion } from '../../../contract/files/android-version.ts'
import { architecturesOf, readApk } from './apk.ts'

/** Base APK of a split app, by bundletool (`universal`, `base-master`) and other tools. */
const BASE = /^(universal|base|splits\/base-master)\.apk$/
/** A split for one processor, such as `splits/base-arm64_v8a.apk` and `config.x86_64.apk`. */
const FOR_ABI = /(?:^|[-./])(arm64_v8a|armeabi_v7a|armeabi|x86_64|x86)\.apk$/

/** Reads an APK set of bundletool: a zip with a base and its splits. */
export async function readApkSet(file: PackageFile): Promise<Look> {
  const abis = new Set<string>()
  const members = await readMembers(file, (name) => {
    noteAbi(abis, name)
    return BASE.test(name) ? 'keep' : 'skip'
  })
  const [entry] = members.values()
  if (!entry) throw new Unreadable('This is not an APK set: it has no base app.')
  const { facts, icon } = await readApk(await openMember(file, entry))
  return { facts: { ...withAbis(facts, abis), kind: 'apks' }, icon }
}

const XAPK_MANIFEST = 'manifest.json'
const XAPK_ICON = 'icon.png'

/** Reads an XAPK: a zip with APKs and a manifest in JSON, which has no specification. */
export async function readXapk(file: PackageFile): Promise<Look> {
  const abis = new Set<string>()
  const top = await readMembers(file, (name) => {
    noteAbi(abis, name)
    return name === XAPK_MANIFEST || name === XAPK_ICON ? 'keep' : 'skip'
  })

  const entry = top.get(XAPK_MANIFEST)
  if (!entry) throw new Unreadable('This is not an XAPK: it has no manifest.')
  const manifest: unknown = parseJson(await unpackMember(file, entry))

  const base = await optional(() => readBase(file, manifest))
  const icon = top.get(XAPK_ICON)
  const png = icon && (await optional(() => unpackMember(file, icon)))

  const facts = base?.facts ?? factsIn(manifest)
  return {
    facts: {
      ...withAbis(facts, abis),
      kind: 'xapk',
      name: readText(manifest, 'name') ?? facts.name,
    },
    icon: png && isSmallPng(png) ? png : (base?.icon ?? null),
  }
}

/** The app in the XAPK that its manifest names as the base. */
async function readBase(file: PackageFile, manifest: unknown): Promise<Look | null> {
  const base = readList(manifest, 'split_apks').find((split) => readText(split, 'id') === 'base')
  const name = readText(base, 'file') ?? `${readText(manifest, 'package_name')}.apk`
  const [entry] = (await readMembers(file, (it) => (it === name ? 'keep' : 'skip'))).values()
  return entry ? readApk(await openMember(file, entry)) : null
}

/** The facts in the manifest of an XAPK, for when the base cannot be read. */
function factsIn(manifest: unknown): Facts {
  const permissions = readList(manifest, 'permissions').filter((name) => typeof name === 'string')
  const minSdk = readNumber(manifest, 'min_sdk_version')

  return {
    ...noFacts('xapk'),
    app_id: readText(manifest, 'package_name'),
    version: readText(manifest, 'version_name'),
    build: readText(manifest, 'version_code'),
    min_os: androidVersion(minSdk),
    android: {
      min_sdk: minSdk,
      target_sdk: readNumber(manifest, 'target_sdk_version'),
      permissions: [...new Set(permissions)],
      signature_schemes: [],
    },
  }
}

function noteAbi(abis: Set<string>, name: string): void {
  const abi = FOR_ABI.exec(name)?.[1]
  if (abi !== undefined) abis.add(abi.replace('_v', '-v'))
}

function withAbis(facts: Facts, abis: ReadonlySet<string>): Facts {
  const all = new Set([...facts.architectures, ...architecturesOf(abis)])
  return { ...facts, architectures: [...all].toSorted() }
}

const readValue = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null
    ? Object.getOwnPropertyDescriptor(object, key)?.value
    : undefined

function readList(object: unknown, key: string): unknown[] {
  const value = readValue(object, key)
  return Array.isArray(value) ? value : []
}

/** Numbers are sometimes text. */
const readText = (object: unknown, key: string): string | null => asText(readValue(object, key))

function asText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

function readNumber(object: unknown, key: string): number | null {
  const text = readText(object, key)
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
