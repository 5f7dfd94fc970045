import type { IndexOf } from '../../../contract/files/package-index'
import type { PlacedFile } from '../repository'

/** An app in the repository. Paths begin with a slash and are relative to it. */
export interface App {
  id: string
  icon: PlacedFile | undefined
  builds: readonly Build[]
}

export interface Build extends PlacedFile {
  index: IndexOf<'apk'>
  /** In ms since 1970. */
  addedAt: number
  isStable: boolean
  notes: string
}

/** The description of the project. */
export interface About {
  title: string
  summary: string
  description: string
  author: string
  /** Address of the repository. */
  address: string
}

/** The version of the format of both indexes. */
const FORMAT = 20002
const EN = 'en-US'

const apiLevel = (level: number | null) => level ?? 1

/** Prints `index-v2.json` (F-Droid's index format v2). `timestamp`: ms since 1970. */
export function printV2(
  { title, summary, description, author, address }: About,
  apps: readonly App[],
  timestamp: number,
) {
  const packages = apps.map(({ id, icon, builds }): [string, object] => {
    const [newest] = builds

    const metadata = {
      added: Math.min(...builds.map(({ addedAt }) => addedAt)),
      lastUpdated: newest?.addedAt,
      name: { [EN]: newest?.index.label ?? title },
      summary: { [EN]: summary },
      description: { [EN]: description },
      authorName: author,
      categories: [],
      preferredSigner: newest?.index.signer?.sha256,
      ...(icon && { icon: { [EN]: { name: icon.path, sha256: icon.sha256, size: icon.size } } }),
    }

    return [
      id,
      {
        metadata,
        versions: Object.fromEntries(builds.map((build) => [build.sha256, version(build)])),
      },
    ]
  })

  const repo = {
    name: { [EN]: title },
    description: { [EN]: summary },
    address,
    timestamp,
    releaseChannels: {
      Beta: { name: { [EN]: 'Beta' }, description: { [EN]: 'All channels but stable' } },
    },
  }

  return JSON.stringify({ repo, packages: Object.fromEntries(packages) })
}

const version = ({ index, path, size, sha256, addedAt, isStable, notes }: Build) => ({
  added: addedAt,
  file: { name: path, sha256, size },
  manifest: {
    versionName: index.versionName ?? index.versionCode,
    versionCode: Number(index.versionCode),
    usesSdk: {
      minSdkVersion: apiLevel(index.minSdk),
      targetSdkVersion: apiLevel(index.targetSdk ?? index.minSdk),
    },
    ...(index.maxSdk !== null && { maxSdkVersion: index.maxSdk }),
    ...(index.signer && { signer: { sha256: [index.signer.sha256] } }),
    usesPermission: permissions(index, false).map(([name, maxSdk]) => ({
      name,
      ...(maxSdk !== null && { maxSdkVersion: maxSdk }),
    })),
    usesPermissionSdk23: permissions(index, true).map(([name, maxSdk]) => ({
      name,
      ...(maxSdk !== null && { maxSdkVersion: maxSdk }),
    })),
    nativecode: index.nativecode,
    features: index.features.map((name) => ({ name })),
  },
  releaseChannels: isStable ? [] : ['Beta'],
  ...(notes !== '' && { whatsNew: { [EN]: notes } }),
})

const permissions = (index: IndexOf<'apk'>, from23: boolean) =>
  index.permissions
    .filter((permission) => (permission.from23 ?? false) === from23)
    .map(({ name, maxSdk }): [string, number | null] => [name, maxSdk])

/** Prints `index-v1.json`, for older clients and fdroidcl. */
export function printV1(
  { title, summary, description, author, address }: About,
  apps: readonly App[],
  timestamp: number,
) {
  return JSON.stringify({
    repo: {
      name: title,
      description: summary,
      address,
      icon: 'icon.png',
      timestamp,
      version: FORMAT,
    },
    requests: { install: [], uninstall: [] },
    apps: apps.map(({ id, icon, builds }) => {
      const suggested = builds.find(({ isStable }) => isStable) ?? builds[0]
      return {
        packageName: id,
        name: builds[0]?.index.label ?? title,
        summary,
        description,
        authorName: author,
        license: 'Unknown',
        categories: [],
        suggestedVersionCode: suggested?.index.versionCode,
        suggestedVersionName: suggested?.index.versionName ?? undefined,
        added: Math.min(...builds.map(({ addedAt }) => addedAt)),
        lastUpdated: builds[0]?.addedAt,
        icon: icon?.path.split('/').at(-1),
      }
    }),
    packages: Object.fromEntries(apps.map(({ id, builds }) => [id, builds.map(versionV1)])),
  })
}

const versionV1 = ({ index, path, size, sha256, addedAt }: Build) => ({
  packageName: index.appId,
  apkName: path.slice(1),
  hash: sha256,
  hashType: 'sha256',
  size,
  versionCode: Number(index.versionCode),
  versionName: index.versionName ?? index.versionCode,
  minSdkVersion: apiLevel(index.minSdk),
  targetSdkVersion: apiLevel(index.targetSdk ?? index.minSdk),
  ...(index.maxSdk !== null && { maxSdkVersion: index.maxSdk }),
  added: addedAt,
  signer: index.signer?.sha256,
  sig: index.signer?.sig,
  ...(index.nativecode.length > 0 && { nativecode: index.nativecode }),
  'uses-permission': permissions(index, false),
  'uses-permission-sdk-23': permissions(index, true),
})

/**
 * Prints `entry.json`, which the signed `entry.jar` contains. `index` describes `index-v2.json`.
 */
export const printEntry = (
  index: Omit<PlacedFile, 'path'>,
  numPackages: number,
  timestamp: number,
): string =>
  JSON.stringify({
    timestamp,
    version: FORMAT,
    index: { name: '/index-v2.json', ...index, numPackages },
    diffs: {},
  })
