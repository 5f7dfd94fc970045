import type { QueryClient } from '@tanstack/react-query'
import type { BucketView } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'

const EVERY_MS = { changing: 1000, on: 5000, off: 60_000 }

export type BucketInput = Parameters<Client['mirror']['setUp']>[0]

/** The copies in the bucket; polls often while they change. */
export const useBucket = () =>
  useLoad(
    queryKeys.bucket,
    async (client, signal) => (await client.mirror.show({}, signal)).mirror,
    { refetchInterval: ({ state }) => EVERY_MS[state.data ? paceOf(state.data) : 'on'] },
  )

function paceOf({ state, check, copies }: BucketView): keyof typeof EVERY_MS {
  if (state === 'off') return 'off'
  const isChanging = state !== 'complete' || check.running !== null || copies.revoking > 0
  return isChanging ? 'changing' : 'on'
}

const keep = (cache: QueryClient, { mirror }: { mirror: BucketView }) =>
  cache.setQueryData(queryKeys.bucket, mirror)
const stale = [queryKeys.files.all]

/** Calls of the form, which shows their failures. */
export function useBucketSetup() {
  const settingUp = useCall((client, input: BucketInput) => client.mirror.setUp(input), {
    after: keep,
    refresh: stale,
  })
  const testing = useCall((client, input: BucketInput) => client.mirror.test(input))
  return { settingUp, testing }
}

export const useCheckCopies = () =>
  useCall((client) => client.mirror.verify({}), {
    after: keep,
    failed: 'Failed to check the copies',
    refresh: stale,
  })

/**
 * Switches off downloads from a bucket. `failed`: the message of a failure; without it, the dialog
 * shows the failure.
 */
export const useSwitchOff = (failed?: string) =>
  useCall((client, copies: 'delete' | 'keep') => client.mirror.switchOff({ copies }), {
    after: keep,
    failed,
    refresh: stale,
  })
