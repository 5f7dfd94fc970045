import type { Factors } from '../../../../server/contract'
import { queryKeys } from '../../../lib/client/query-keys'
import { useLoad } from '../../../lib/client/use-load'

/** The second factors of the signed-in person. */
export const useFactors = () =>
  useLoad(
    queryKeys.factors,
    async (client, signal) => (await client.factors.show({}, signal)).factors,
  )

export const hasFactor = ({ codes, passkeys }: Factors): boolean =>
  codes !== null || passkeys.length > 0
