import { oneLine } from '../../../contract/unseen'
import { buildReleasePath } from '../../releases/audience'
import { offeredFiles, readPackageIndex, type Offered } from '../packages'
import { hasChannel, type Deps, type Repository, type UpdateSource } from '../repository'
import type { Audience } from '../../releases/audience'
import type { IndexOf } from '../../../contract/files/package-index'

const MANIFEST = 'manifest.json'

interface Firmware extends Offered {
  index: IndexOf<'bin'>
}

/**
 * Serves the newest firmware of a channel for ESP Web Tools: `{channel}/manifest.json`
 * (esphome.github.io/esp-web-tools), and the files beside it. Pages of other sites may read them.
 */
export const espWebTools: Repository = async (
  deps,
  { audience, path: [channel = '', ...path], source },
) => {
  const firmware = await findFirmware(deps, audience, channel, source)
  const [name, ...more] = path
  if (!firmware || name === undefined || more.length > 0) return undefined

  if (name !== MANIFEST) return firmware.find(({ file }) => file.filename === name)?.file

  const builds = firmware.map(({ file, index }) => ({
    chipFamily: index.chip,
    parts: [{ path: encodeURIComponent(file.filename), offset: 0 }],
  }))

  return printManifest(audience, firmware, builds)
}

/**
 * Serves the newest firmware of a channel for devices with ESPHome: `{channel}/manifest.json` (its
 * `update.http_request`).
 */
export const espHome: Repository = async (
  deps,
  { audience, path: [channel = '', name, ...more], address, source },
) => {
  const firmware = await findFirmware(deps, audience, channel, source)
  if (!firmware || name !== MANIFEST || more.length > 0) return undefined

  const { origin } = new URL(address)
  const builds = firmware.map(({ release, file, index }) => ({
    chipFamily: index.chip,
    ota: {
      md5: index.md5,
      path: origin + buildReleasePath(audience, release, file),
      release_url: origin + buildReleasePath(audience, release),
    },
  }))

  return printManifest(audience, firmware, builds)
}

function printManifest(
  { project }: Audience,
  [first]: readonly Firmware[],
  builds: readonly object[],
) {
  // Devices compare the version as text with their own, which has no leading v.
  const version = first?.release.version.replace(/^v(?=\d)/i, '') ?? ''
  const manifest = { name: oneLine(project.title), version, builds }
  return { type: 'application/json', content: JSON.stringify(manifest, null, 2) }
}

/** Finds the firmware of the newest release that has any, one file per chip. */
async function findFirmware(deps: Deps, audience: Audience, channel: string, source: UpdateSource) {
  if (!hasChannel(deps, audience, channel)) return undefined

  const chips = new Map<string, Firmware>()
  let version: string | undefined
  for (const offered of offeredFiles(audience, channel, source.takes)) {
    if (chips.size > 0 && offered.release.version !== version) break

    const index = await readPackageIndex(deps, offered.file, 'bin')
    if (!index || source.firmware?.(index) === false || chips.has(index.chip)) continue

    chips.set(index.chip, { ...offered, index })
    version = offered.release.version
  }

  return chips.size === 0 ? undefined : [...chips.values()]
}
