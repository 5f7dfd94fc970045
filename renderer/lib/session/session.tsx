import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { paths } from '../../paths'
import type { Client } from '../client/api-client'
import { useClient } from '../client/client-context'
import { queryKeys } from '../client/query-keys'
import { onUnauthorized } from '../client/unauthorized'
import { useLoad } from '../client/use-load'

interface Session {
  user: User | null
  managesHost?: boolean
  lacksFactor?: boolean
  hostName?: string | null
  /** Signed out by choice: the sign-in page then opens without a return address. */
  hasLeft?: boolean
  /** What the sign-in page then says. */
  farewell?: string | undefined
  /** Settles once the host has ended the session, or could not be reached. */
  ended?: Promise<void>
  failure?: Error
}

interface UseSession {
  status: 'loading' | 'in' | 'out'
  user?: User
  managesHost: boolean
  /** The host asks for a second factor, and there is none yet. */
  lacksFactor: boolean
  /** The username of the person who manages the host; null: not known. */
  hostName: string | null
  hasLeft: boolean
  farewell: string | undefined
  /** Why the session is unknown: the host could not be asked. */
  failure: Error | undefined
  checkAgain: () => void
  /** `login`: the call that starts the session. */
  signIn: (login: () => Promise<unknown>) => Promise<void>
  /** Clears the session immediately, without waiting for the host. */
  signOut: (farewell?: string) => Promise<void>
}

/** How often to check a session again that could not be checked, in ms. */
const RECHECK_MS = 2000

/** The current session. A failed check counts as signed out until one succeeds. */
export function useSession(): UseSession {
  const client = useClient()
  const cache = useQueryClient()
  const { data, isPending, refetch } = useLoad(queryKeys.session, () => load(client, cache), {
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.failure ? RECHECK_MS : false),
  })

  const signIn = useCallback<UseSession['signIn']>(
    async (login) => {
      // The answer to a sign-out clears the cookie, so it must precede a new session.
      await cache.getQueryData<Session>(queryKeys.session)?.ended
      await login()
      const session = await load(client, cache)
      forget(cache)
      cache.setQueryData<Session>(queryKeys.session, session)
    },
    [client, cache],
  )

  const signOut = useCallback(
    async (farewell?: string) => {
      // Pending and future calls could only be refused.
      await cache.cancelQueries()
      const ended = client.accounts.logout({}).then(
        () => undefined,
        (cause: unknown) => console.error('The host could not end the session', cause),
      )
      leave(cache, { user: null, hasLeft: true, farewell, ended })
    },
    [client, cache],
  )

  const checkAgain = useCallback(() => void refetch(), [refetch])

  const hasLeft = data?.hasLeft ?? false
  const managesHost = data?.managesHost ?? false
  const lacksFactor = data?.lacksFactor ?? false
  const { failure, farewell } = data ?? {}
  const known = {
    hasLeft,
    farewell,
    managesHost,
    lacksFactor,
    hostName: data?.hostName ?? null,
    failure,
  }
  const rest = { ...known, checkAgain, signIn, signOut }
  if (isPending) return { status: 'loading', ...rest }

  return data?.user ? { status: 'in', user: data.user, ...rest } : { status: 'out', ...rest }
}

/** Ends the session on the first 401 of any call, and opens the sign-in page. */
export function useSessionEnd(): void {
  const cache = useQueryClient()
  const navigate = useNavigate()

  useEffect(
    () =>
      onUnauthorized(() => {
        const { pathname, search, hash } = window.location
        // Late answers after a sign-out by choice.
        const hasLeft = cache.getQueryData<Session>(queryKeys.session)?.hasLeft ?? false
        if (hasLeft || pathname === paths.login) return
        leave(cache, { user: null })
        // The page says what was refused. A later sign-in must not lead back to it.
        if (pathname === paths.loginSso) return
        const path = pathname.replace(/^\/+/, '/')
        void navigate(paths.login, { state: { from: path + search + hash } })
      }),
    [cache, navigate],
  )
}

/** Subscribes to changes of the signed-in person. `hasLeft`: they signed out by choice. */
export function watchSession(
  cache: QueryClient,
  listener: (userId: string | undefined, hasLeft: boolean) => void,
): void {
  const now = () => cache.getQueryData<Session>(queryKeys.session)
  let last = now()
  cache.getQueryCache().subscribe(() => {
    const next = now()
    if (!next || next === last) return
    const isNews = next.user?.user_id !== last?.user?.user_id || next.hasLeft !== last?.hasLeft
    last = next
    if (isNews) listener(next.user?.user_id, next.hasLeft ?? false)
  })
}

/**
 * A failed check counts as signed out at first, and as no change later, so that a restarting host
 * ends no session.
 */
async function load(client: Client, cache: QueryClient): Promise<Session> {
  try {
    const { authenticated } = await client.accounts.check({})
    if (!authenticated) return { user: null }
    const { user, manages_host, host_username, lacks_factor } = await client.accounts.me({})
    return {
      user,
      managesHost: manages_host,
      hostName: host_username,
      lacksFactor: lacks_factor,
    }
  } catch (cause) {
    console.error('The session could not be checked', cause)
    const failure = cause instanceof Error ? cause : new Error(String(cause))
    return cache.getQueryData<Session>(queryKeys.session) ?? { user: null, failure }
  }
}

/** Removes pages that need an account first: a mounted one would refetch its data. */
function leave(cache: QueryClient, session: Session): void {
  cache.setQueryData<Session>(queryKeys.session, session)
  setTimeout(() => forget(cache))
}

function forget(cache: QueryClient): void {
  const retainedKeys: readonly string[] = [queryKeys.session[0], queryKeys.host[0]]
  cache.removeQueries({ predicate: ({ queryKey }) => !retainedKeys.includes(String(queryKey[0])) })
}
