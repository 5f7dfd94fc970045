import { oneLine } from '../../../contract/unseen'
import type { Facts } from '../../../contract/files/facts'
import { buildReleasePath } from '../../releases/audience'
import { offeredFiles, readFacts, type Offered } from '../packages'
import { hasChannel, type Repository } from '../repository'

/** Imager shows the whole list at once. Older images are on the page of the project. */
const MOST = 40
const OS_LIST = 'os_list.json'
/** The boards for each processor (Imager's `doc/json-schema`, `devices`). */
const BOARDS_64 = ['pi5-64bit', 'pi4-64bit', 'pi3-64bit']
const BOARDS_32 = ['pi5-32bit', 'pi4-32bit', 'pi3-32bit', 'pi2-32bit', 'pi1-32bit']

/**
 * Serves the disk images of a channel for Raspberry Pi Imager: `{channel}/os_list.json`
 * (github.com/raspberrypi/rpi-imager).
 */
export const imager: Repository = async (
  deps,
  { audience, path: [channel = '', name, ...more], address, source },
) => {
  if (name !== OS_LIST || more.length > 0 || !hasChannel(deps, audience, channel)) return undefined

  const { project } = audience
  const base = new URL(address).origin
  const entries = []
  for (const offered of offeredFiles(audience, channel, source.takes)) {
    const { file, release } = offered
    const url = base + buildReleasePath(audience, release, file)
    entries.push(
      printEntry(offered, { title: project.title, url, facts: await readFacts(deps, file) }),
    )

    if (entries.length === MOST) break
  }

  return { type: 'application/json', content: JSON.stringify({ os_list: entries }, null, 2) }
}

interface About {
  title: string
  url: string
  facts: Facts | null
}

function printEntry({ release, file }: Offered, { title, url, facts }: About) {
  const { architectures = [], disk } = facts ?? {}
  const isPacked = !file.filename.toLowerCase().endsWith('.img')
  const is64 = architectures.includes('arm64')
  const is32 = architectures.includes('arm')

  return {
    name: oneLine(`${title} ${release.version}`),
    description: oneLine([file.filename, ...architectures].join(' · ')),
    icon: '',
    url,
    extract_size: disk?.size ?? file.size,
    // Imager skips the check if this is empty. The host has only the digest of the packed image.
    extract_sha256: isPacked ? '' : file.sha256,
    image_download_size: file.size,
    image_download_sha256: file.sha256,
    release_date: (release.publishedAt ?? release.createdAt).slice(0, 10),
    devices: [...(is32 && !is64 ? [] : BOARDS_64), ...(is64 && !is32 ? [] : BOARDS_32)],
  }
}
