import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MirrorView } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'
import { mirrorWords } from './bucket-words'

const EVERY_MS = { changing: 1000, on: 5000, off: 60_000 }

export type MirrorInput = Parameters<Client['mirror']['setUp']>[0]

/** The copies in the bucket; polls often while they change. */
export function useMirror() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.mirror,
    queryFn: async ({ signal }) => (await client.mirror.show({}, signal)).mirror,
    refetchInterval: ({ state }) => EVERY_MS[state.data ? paceOf(state.data) : 'on'],
  })
}

function paceOf({ state, check, copies }: MirrorView): keyof typeof EVERY_MS {
  if (state === 'off') return 'off'
  const isChanging = state !== 'complete' || check.running !== null || copies.revoking > 0
  return isChanging ? 'changing' : 'on'
}

/** Calls that test and change the mirror. A form or dialog shows their failures, except that of `checking`. */
export function useMirrorActions() {
  const client = useClient()
  const cache = useQueryClient()
  const keep = ({ mirror }: { mirror: MirrorView }) => {
    cache.setQueryData(queryKeys.mirror, mirror)
    return cache.invalidateQueries({ queryKey: queryKeys.files.all })
  }
  const settingUp = useMutation({ mutationFn: (input: MirrorInput) => client.mirror.setUp(input), onSuccess: keep })
  const testing = useMutation({ mutationFn: (input: MirrorInput) => client.mirror.test(input) })
  const checking = useMutation({
    mutationFn: () => client.mirror.verify({}),
    onSuccess: keep,
    onError: (cause) => notifyError(failureText(cause, { failed: mirrorWords.checkFailed })),
  })
  const switchingOff = useMutation({
    mutationFn: (copies: 'delete' | 'keep') => client.mirror.switchOff({ copies }),
    onSuccess: keep,
  })
  return { settingUp, testing, checking, switchingOff }
}
