import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Activity } from '../../../../server/contract'
import type { Client } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { queryKeys } from '../../../lib/client/query-keys'

/** After a stream that the host has refused, the next try comes so much later, in ms. */
const AGAIN_AFTER_MS = 3000

/** What moves on this host, as it moves. `isLive` is false while the host does not tell. */
export function useActivity() {
  const client = useClient()
  const cache = useQueryClient()
  const [isLive, setLive] = useState(true)
  const query = useQuery({
    queryKey: queryKeys.activity,
    queryFn: ({ signal }) => ask(client, cache, signal),
  })
  useEffect(() => follow(cache, setLive), [cache])
  return { ...query, isLive }
}

/** What the stream has told meanwhile is newer than the reply. */
async function ask(client: Client, cache: QueryClient, signal: AbortSignal): Promise<Activity> {
  const known = () => cache.getQueryState<Activity>(queryKeys.activity)
  const before = known()?.dataUpdateCount
  const { activity } = await client.activity.now({}, signal)
  const now = known()
  return now?.data && now.dataUpdateCount !== before ? now.data : activity
}

/** Keeps the reply in the cache true. Answers how to end that. */
function follow(cache: QueryClient, setLive: (isLive: boolean) => void): () => void {
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source = new EventSource(api.activity.events.path)
    source.addEventListener('open', () => setLive(true))
    source.addEventListener('activity', ({ data }: MessageEvent<string>) => keep(cache, data))
    source.addEventListener('error', () => {
      setLive(false)
      if (source?.readyState !== EventSource.CLOSED) return
      // The browser gives up after a refusal. Asking by a call finds out whether the session has ended.
      void cache.invalidateQueries({ queryKey: queryKeys.activity })
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
  const told = api.activity.events.reply.safeParse(JSON.parse(data))
  if (told.success) cache.setQueryData<Activity>(queryKeys.activity, told.data.activity)
}
