import type { Rooms } from '../../compose/context'
import type { Facts } from '../../contract/files/facts'
import { downloadWords, installNote } from '../../texts/install-notes'
import type { InstallView } from '../../texts/install-view'
import { platformChecks } from '../../texts/platform-checks'
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
): Promise<Pick<NonNullable<InstallView['offer']>, 'label' | 'steps' | 'checks'>> {
  const { file } = listed
  const { facts } = await deps.files.facts.of(file)

  if (!isWritten(listed))
    return {
      label: `Download for ${device.platform ?? 'this device'}`,
      ...describeChecked(file.filename, facts),
    }

  const address = facts?.firmware ? (facts.firmware.addresses?.start ?? ESP_APP) : undefined
  const steps = installNote({ filename: file.filename, facts, address }) ?? null
  return { label: downloadWords(platformOfListed(listed)), steps, checks: [] }
}

/** Describes the steps after a download, and what the system asks, by the facts of the file. */
export function describeChecked(filename: string, facts: Facts | null) {
  const checks = platformChecks(facts)
  const isChecked = checks.length > 0 || facts?.is_stapled === true
  return { steps: installNote({ filename, isChecked }) ?? null, checks }
}
