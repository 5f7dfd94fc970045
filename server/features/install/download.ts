import type { Rooms } from '../../compose/context'
import { downloadWords, installNote } from '../../texts/install-notes'
import type { InstallView } from '../../texts/install-view'
import { platformOfListed } from '../releases/choose-file'
import type { Device } from '../releases/device'
import type { ListedRelease } from '../releases/listing'

type ListedFile = ListedRelease['files'][number]

/**
 * Where an app of ESP-IDF goes: the first partition for one in its usual table ("Partition Tables",
 * ESP-IDF).
 */
const ESP_APP = 0x10000

/** Whether a file is written to a drive or a board, by any computer. */
export function isWritten(listed: ListedFile): boolean {
  const platform = platformOfListed(listed)
  return platform === 'Image' || platform === 'Firmware'
}

/** The button that downloads a file for a computer, and what to do then. */
export async function describeDownload(
  deps: Rooms<'files'>,
  listed: ListedFile,
  device: Device,
): Promise<Pick<NonNullable<InstallView['offer']>, 'label' | 'steps'>> {
  const { file } = listed
  if (!isWritten(listed))
    return {
      label: `Download for ${device.platform ?? 'this device'}`,
      steps: installNote({ filename: file.filename }) ?? null,
    }
  const { facts } = await deps.files.facts.of(file)
  const address = facts?.firmware ? (facts.firmware.addresses?.start ?? ESP_APP) : undefined
  const steps = installNote({ filename: file.filename, facts, address }) ?? null
  return { label: downloadWords(platformOfListed(listed)), steps }
}
