import type { Rooms } from '../../compose/context'
import { downloadWords, installNote } from '../../texts/install-notes'
import type { InstallView } from '../../texts/install-view'
import { platformOfListed } from '../releases/choose-file'
import type { Device } from '../releases/device'
import type { ListedRelease } from '../projects/project-view'

type ListedFile = ListedRelease['files'][number]

/**
 * The address of an app of ESP-IDF: the first partition in the default partition table ("Partition
 * Tables", ESP-IDF).
 */
const ESP_APP = 0x10000

/** Whether any computer writes this file to a drive or a board. */
export function isWritten(listed: ListedFile): boolean {
  const platform = platformOfListed(listed)
  return platform === 'Image' || platform === 'Firmware'
}

/** Describes the download button of a file for a computer, and the steps after the download. */
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
