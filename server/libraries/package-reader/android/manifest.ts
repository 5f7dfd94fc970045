import type { Facts } from '../../../contract/files/facts'
import type { PackageKind } from '../../../contract/files/formats'
import { androidVersion } from '../../../contract/files/android-version.ts'
import { noFacts } from '../look.ts'

/** Text, a number (also for true and false), or the id of a resource that has it. */
export type Value = string | number | { resource: number }

/** An element of a manifest, binary (APK) or protobuf (AAB). Its methods throw if it is damaged. */
export interface ManifestElement {
  /** 1: the outermost element. */
  depth: number
  name: () => string
  /** An attribute by its resource id, or by name if it has none. */
  get: (attribute: number | string) => Value | null
}

export interface UsedPermission {
  name: string
  maxSdk: number | null
  /** Only on Android 6 or later. */
  from23?: true
}

export interface AndroidManifest {
  appId: string | null
  /** The name of a part that devices install only with its base app, such as `config.arm64_v8a`. */
  split: string | null
  versionCode: string | null
  versionName: Value | null
  minSdk: number | null
  targetSdk: number | null
  maxSdk: number | null
  /** Names, each once. */
  permissions: string[]
  /** Each with the systems on which it counts. */
  usesPermissions: UsedPermission[]
  /** Features that a device must have. */
  features: string[]
  isDebuggable: boolean
  /** Services that only the system may bind, because they see what other apps show. */
  services: ('accessibility' | 'notifications')[]
  label: Value | null
  icon: Value | null
}

/** Resource ids of attributes (android.R.attr), independent of their names in the file. */
const LABEL = 0x01010001
const ICON = 0x01010002
const NAME = 0x01010003
const PERMISSION = 0x01010006
const DEBUGGABLE = 0x0101000f
const MIN_SDK = 0x0101020c
const VERSION_CODE = 0x0101021b
const VERSION_NAME = 0x0101021c
const TARGET_SDK = 0x01010270
const MAX_SDK = 0x01010271
const REQUIRED = 0x0101028e
const VERSION_CODE_MAJOR = 0x01010576

/** The services by the permission that guards them. */
const SERVICES: ReadonlyMap<unknown, AndroidManifest['services'][number]> = new Map([
  ['android.permission.BIND_ACCESSIBILITY_SERVICE', 'accessibility'],
  ['android.permission.BIND_NOTIFICATION_LISTENER_SERVICE', 'notifications'],
])

const MOST_PERMISSIONS = 500
const MOST_FEATURES = 100
const LONGEST_PERMISSION = 100

/** Reads the facts in AndroidManifest.xml. Throws if the outermost element is no manifest. */
export function parseManifest(elements: Iterable<ManifestElement>): AndroidManifest {
  const manifest: AndroidManifest = { ...NOTHING, usesPermissions: [], features: [] }
  const services = new Set<AndroidManifest['services'][number]>()
  let isManifest = false

  for (const element of elements) {
    if (element.depth > 3) continue
    const name = element.name()

    if (element.depth === 3) {
      const service = name === 'service' ? SERVICES.get(element.get(PERMISSION)) : undefined
      if (service) services.add(service)
      continue
    }

    if (element.depth === 1) {
      isManifest = name === 'manifest'
      readRoot(element, manifest)
    } else if (name === 'uses-sdk') readSdks(element, manifest)
    else if (name === 'application') readApplication(element, manifest)
    else if (name === 'uses-permission') readPermission(element, manifest)
    else if (name === 'uses-permission-sdk-23') readPermission(element, manifest, { from23: true })
    else if (name === 'uses-feature') readFeature(element, manifest)
  }

  if (!isManifest) throw new Error('Not a manifest')

  return {
    ...manifest,
    permissions: [...new Set(manifest.usesPermissions.map(({ name }) => name))],
    services: [...services].toSorted(),
  }
}

/** The facts in a manifest, without those that resources may hold. */
export const describeManifest = (
  kind: PackageKind,
  { appId, versionCode, minSdk, targetSdk, permissions, isDebuggable, services }: AndroidManifest,
  { schemes, signer }: { schemes: number[]; signer: Facts['signer'] },
): Facts => ({
  ...noFacts(kind),
  app_id: appId,
  build: versionCode,
  min_os: androidVersion(minSdk),
  debug: isDebuggable,
  is_signed: schemes.length > 0,
  signer,
  android: {
    min_sdk: minSdk,
    target_sdk: targetSdk,
    permissions,
    signature_schemes: schemes,
    services,
  },
})

const NOTHING: AndroidManifest = {
  appId: null,
  split: null,
  versionCode: null,
  versionName: null,
  minSdk: null,
  targetSdk: null,
  maxSdk: null,
  permissions: [],
  usesPermissions: [],
  features: [],
  isDebuggable: false,
  services: [],
  label: null,
  icon: null,
}

function readRoot(element: ManifestElement, manifest: AndroidManifest): void {
  const appId = element.get('package')
  const split = element.get('split')
  manifest.appId = typeof appId === 'string' ? appId : null
  manifest.split = typeof split === 'string' && split !== '' ? split : null

  const code = numberIn(element.get(VERSION_CODE))
  const major = numberIn(element.get(VERSION_CODE_MAJOR)) ?? 0
  manifest.versionCode = code === null ? null : String((BigInt(major) << 32n) + BigInt(code))
  manifest.versionName = element.get(VERSION_NAME)
}

function readSdks(element: ManifestElement, manifest: AndroidManifest): void {
  manifest.minSdk = numberIn(element.get(MIN_SDK))
  manifest.targetSdk = numberIn(element.get(TARGET_SDK))
  manifest.maxSdk = numberIn(element.get(MAX_SDK))
}

function readPermission(
  element: ManifestElement,
  { usesPermissions }: AndroidManifest,
  when: { from23?: true } = {},
) {
  const name = element.get(NAME)
  if (!isPermission(name) || usesPermissions.length >= MOST_PERMISSIONS) return
  usesPermissions.push({ name, maxSdk: numberIn(element.get(MAX_SDK)), ...when })
}

function readFeature(element: ManifestElement, { features }: AndroidManifest): void {
  const name = element.get(NAME)
  const isOptional = [0, 'false'].some((no) => element.get(REQUIRED) === no)
  if (isPermission(name) && !isOptional && features.length < MOST_FEATURES) features.push(name)
}

function readApplication(element: ManifestElement, manifest: AndroidManifest): void {
  const debuggable = element.get(DEBUGGABLE)
  manifest.isDebuggable =
    debuggable === 'true' || (typeof debuggable === 'number' && debuggable !== 0)

  manifest.label = element.get(LABEL)
  manifest.icon = element.get(ICON)
}

/** Whether it is the name of a permission or feature. */
const isPermission = (value: Value | null): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= LONGEST_PERMISSION &&
  !/\p{C}/u.test(value)

/** Returns null for a text that is no number, such as the code name of a preview. */
function numberIn(value: Value | null): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null
}
