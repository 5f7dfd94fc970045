import type { Rooms } from '../../compose/context'

/**
 * Sends all downloads from this host again. Copies are deleted in the background. `note` records
 * it, if it was on.
 */
export async function switchOffBucket(
  { bucket: { publicCopies, config } }: Rooms<'bucket'>,
  copies: 'delete' | 'keep',
  note: (happening: { kind: 'mirror_off'; detail: string }) => void,
): Promise<void> {
  const before = config.get()
  await publicCopies.switchOff(copies)
  if (before?.use === 'on') note({ kind: 'mirror_off', detail: `copies: ${copies}` })
}
