import type { Rooms } from '../../compose/context'
import type { ReleaseKeysState } from '../../contract'
import { jarFingerprint } from '../../data/settings/release-keys'
import type { Signer } from './content-dates'

type Deps = Rooms<'data' | 'repositories'>

/**
 * Returns the fingerprint of the key that signs an index. Clients know it from then on. Creates the
 * key if there is none.
 */
export async function findSigner(
  { data: { releaseKeys }, repositories }: Deps,
  signer: Signer,
): Promise<string> {
  const fingerprint =
    signer === 'jar'
      ? await releaseKeys.jar().then(jarFingerprint)
      : await releaseKeys.openpgpFingerprint()
  return repositories.dates.remember(signer, fingerprint)
}

/** Checks whether the keys that clients know are still the ones that sign. */
export async function findKeysState({
  data: { releaseKeys },
  repositories,
}: Deps): Promise<ReleaseKeysState> {
  const expected = await repositories.dates.knownSigners()
  const present = await releaseKeys.fingerprints().catch(() => undefined)

  if (!present) return 'damaged'
  const isLost = (['openpgp', 'jar'] as const).some(
    (signer) => expected[signer] && expected[signer] !== present[signer],
  )
  return isLost ? 'lost' : 'good'
}
