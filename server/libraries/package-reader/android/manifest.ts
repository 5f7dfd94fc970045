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

export interface AndroidManifest {
  appId: string | null
  versionCode: string | null
  versionName: Value | null
  minSdk: number | null
  targetSdk: number | null
  permissions: string[]
  isDebuggable: boolean
  label: Value | null
  icon: Value | null
}

/** Resource ids of attributes (android.R.attr), independent of their names in the file. */
const LABEL = 0x01010001
const ICON = 0x01010002
const NAME = 0x01010003
const DEBUGGABLE = 0x0101000f
const MIN_SDK = 0x0101020c
const VERSION_CODE = 0x0101021b
const VERSION_NAME = 0x0101021c
const TARGET_SDK = 0x01010270
const VERSION_CODE_MAJOR = 0x01010576

const MOST_PERMISSIONS = 500
const LONGEST_PERMISSION = 100

/** Reads the facts in AndroidManifest.xml. Throws if the outermost element is no manifest. */
export function parseManifest(elements: Iterable<ManifestElement>): AndroidManifest {
  const permissions = new Set<string>()
  const manifest: AndroidManifest = { ...NOTHING }
  let isManifest = false
  for (const element of elements) {
    if (element.depth > 2) continue
    const name = element.name()
    if (element.depth === 1) {
      isManifest = name === 'manifest'
      readRoot(element, manifest)
    } else if (name === 'uses-sdk') readSdks(element, manifest)
    else if (name === 'application') readApplication(element, manifest)
    else if (name === 'uses-permission' || name === 'uses-permission-sdk-23') {
      const permission = element.get(NAME)
      if (isPermission(permission) && permissions.size < MOST_PERMISSIONS) permissions.add(permission)
    }
  }
  if (!isManifest) throw new Error('Not a manifest')
  return { ...manifest, permissions: [...permissions] }
}

const NOTHING: AndroidManifest = {
  appId: null,
  versionCode: null,
  versionName: null,
  minSdk: null,
  targetSdk: null,
  permissions: [],
  isDebuggable: false,
  label: null,
  icon: null,
}

function readRoot(element: ManifestElement, manifest: AndroidManifest): void {
  const appId = element.get('package')
  const code = numberIn(element.get(VERSION_CODE))
  const major = numberIn(element.get(VERSION_CODE_MAJOR)) ?? 0
  manifest.appId = typeof appId === 'string' ? appId : null
  manifest.versionCode = code === null ? null : String((BigInt(major) << 32n) + BigInt(code))
  manifest.versionName = element.get(VERSION_NAME)
}

function readSdks(element: ManifestElement, manifest: AndroidManifest): void {
  manifest.minSdk = numberIn(element.get(MIN_SDK))
  manifest.targetSdk = numberIn(element.get(TARGET_SDK))
}

function readApplication(element: ManifestElement, manifest: AndroidManifest): void {
  const debuggable = element.get(DEBUGGABLE)
  manifest.isDebuggable = debuggable === 'true' || (typeof debuggable === 'number' && debuggable !== 0)
  manifest.label = element.get(LABEL)
  manifest.icon = element.get(ICON)
}

const isPermission = (value: Value | null): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_PERMISSION && !/\p{C}/u.test(value)

/** Null for a text that is no number, such as the code name of a preview. */
function numberIn(value: Value | null): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null
}
