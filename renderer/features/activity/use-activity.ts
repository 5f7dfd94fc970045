import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Activity } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'

const AGAIN_AFTER_MS = 3000

/** Live transfers of this host. `isLive` is false without a stream. */
export function useActivity() {
  const cache = useQueryClient()
  const [isLive, setLive] = useState(true)
  const query = useLoad(queryKeys.activity, (client, signal) => ask(client, cache, signal))
  useEffect(() => follow(cache, setLive), [cache])
  return { ...query, isLive }
}

/** Events of the stream are newer than this reply. */
async function ask(client: Client, cache: QueryClient, signal: AbortSignal): Promise<Activity> {
  const readState = () => cache.getQueryState<Activity>(queryKeys.activity)
  const before = readState()?.dataUpdateCount
  const { activity } = await client.activity.now({}, signal)
  const now = readState()
  return now?.data && now.dataUpdateCount !== before ? now.data : activity
}

/** Applies the events of the stream to the cache. Returns the unsubscribe function. */
function follow(cache: QueryClient, setLive: (isLive: boolean) => void): () => void {
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source = new EventSource(calls.activity.events.path)
    source.addEventListener('open', () => setLive(true))
    source.addEventListener('activity', ({ data }: MessageEvent<string>) => keep(cache, data))

    source.addEventListener('error', () => {
      setLive(false)
      if (source?.readyState !== EventSource.CLOSED) return
      // The browser stops after a refusal. A call finds out whether the session ended; without
      // data, one just has.
      if (cache.getQueryData(queryKeys.activity) !== undefined)
        void refresh(cache, queryKeys.activity)
      again = setTimeout(open, AGAIN_AFTER_MS)
    })
  }

  open()
  return () => {
    clearTimeout(again)
    source?.close()
  }
}

function keep(cache: QueryClient, data: string): void {
  const { activity } = JSON.parse(data) as { activity: Activity }
  const before = cache.getQueryData<Activity>(queryKeys.activity)?.internet ?? null
  cache.setQueryData<Activity>(queryKeys.activity, activity)
  void followInternet(cache, before, activity.internet)
}

/**
 * Reloads the card, the addresses and the links when people outside reach the host in another way.
 */
async function followInternet(
  cache: QueryClient,
  before: Activity['internet'],
  now: Activity['internet'],
) {
  const isNews = before?.state !== now?.state || before?.url !== now?.url
  // While it opens, each event may be its next step.
  const stale = isNews
    ? [queryKeys.internet, queryKeys.addresses, queryKeys.host]
    : [queryKeys.internet]
  if (!isNews && now?.state !== 'opening') return
  await refresh(cache, ...stale)
}
