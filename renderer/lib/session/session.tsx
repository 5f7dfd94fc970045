import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { paths } from '../../paths'
import type { Client } from '../client/api-client'
import { useClient } from '../client/client-context'
import { queryKeys } from '../client/query-keys'
import { onUnauthorized } from '../client/unauthorized'

interface Session {
  user: User | null
  /** Whether this session may do what only the host may. */
  managesHost?: boolean
  /** The person signed out by choice: the sign-in page then opens without a way back. */
  left?: boolean
  /** Settles once the host has ended the session, or could not be told. */
  ended?: Promise<void>
  /** Why it is not known who is signed in: the host could not be asked. */
  failure?: Error
}

interface UseSession {
  status: 'loading' | 'in' | 'out'
  user?: User
  /** Whether this session may do what only the host may. */
  managesHost: boolean
  /** Whether the person signed out by choice a moment ago. */
  left: boolean
  /** Why nobody is signed in as far as this page knows: the host could not be asked. */
  failure: Error | undefined
  checkAgain: () => void
  signIn: (credentials: { username: string; password: string }) => Promise<void>
  /** Forgets the person, and waits for no host: one that is slow, or cannot be told, keeps nobody here. */
  signOut: () => Promise<void>
}

/** Who is signed in. A failed check means: nobody. */
export function useSession(): UseSession {
  const client = useClient()
  const cache = useQueryClient()
  const { data, isPending, refetch } = useQuery({
    queryKey: queryKeys.session,
    queryFn: () => load(client, cache),
    staleTime: 60_000,
  })

  const signIn = useCallback<UseSession['signIn']>(
    async (credentials) => {
      // The answer to a sign-out takes the cookie away: not the one of the session that begins now.
      await cache.getQueryData<Session>(queryKeys.session)?.ended
      await client.accounts.login(credentials)
      const session = await load(client, cache)
      forget(cache)
      cache.setQueryData<Session>(queryKeys.session, session)
    },
    [client, cache],
  )

  const signOut = useCallback(async () => {
    // What is under way, and what a page would still ask for, could only be refused.
    await cache.cancelQueries()
    const ended = client.accounts.logout({}).then(
      () => undefined,
      (cause: unknown) => console.error('The host could not end the session', cause),
    )
    leave(cache, { user: null, left: true, ended })
  }, [client, cache])

  const checkAgain = useCallback(() => void refetch(), [refetch])

  const left = data?.left ?? false
  const managesHost = data?.managesHost ?? false
  const rest = { left, managesHost, failure: data?.failure, checkAgain, signIn, signOut }
  if (isPending) return { status: 'loading', ...rest }
  return data?.user ? { status: 'in', user: data.user, ...rest } : { status: 'out', ...rest }
}

/** Ends the session in this page as soon as any call answers 401, and opens the sign-in page. */
export function useSessionEnd(): void {
  const cache = useQueryClient()
  const navigate = useNavigate()

  useEffect(
    () =>
      onUnauthorized(() => {
        const { pathname, search, hash } = window.location
        // Who signed out by choice may still get late answers to what was asked before.
        const hasLeft = cache.getQueryData<Session>(queryKeys.session)?.left ?? false
        if (hasLeft || pathname === paths.login) return
        leave(cache, { user: null })
        void navigate(paths.login, { state: { from: pathname + search + hash } })
      }),
    [cache, navigate],
  )
}

/** Calls back whenever another person is signed in on this page, or nobody any more. `left`: they left by choice. */
export function watchSession(cache: QueryClient, listener: (userId: string | undefined, left: boolean) => void): void {
  const now = () => cache.getQueryData<Session>(queryKeys.session)
  let last = now()
  cache.getQueryCache().subscribe(() => {
    const next = now()
    if (!next || next === last) return
    const isNews = next.user?.user_id !== last?.user?.user_id || next.left !== last?.left
    last = next
    if (isNews) listener(next.user?.user_id, next.left ?? false)
  })
}

/** A check that cannot be made means nobody at first, and no change later: a host that restarts signs nobody out. */
async function load(client: Client, cache: QueryClient): Promise<Session> {
  try {
    const { authenticated } = await client.accounts.check({})
    if (!authenticated) return { user: null }
    const { user, manages_host: managesHost } = await client.accounts.me({})
    return { user, managesHost }
  } catch (cause) {
    console.error('The session could not be checked', cause)
    const failure = cause instanceof Error ? cause : new Error(String(cause))
    return cache.getQueryData<Session>(queryKeys.session) ?? { user: null, failure }
  }
}

/** Nobody is signed in any more. The pages that need an account go first: one still shown would ask anew for its data. */
function leave(cache: QueryClient, session: Session): void {
  cache.setQueryData<Session>(queryKeys.session, session)
  setTimeout(() => forget(cache))
}

/** Another person (or nobody) looks at the page now: nothing that the one before saw is kept. */
function forget(cache: QueryClient): void {
  const kept: readonly string[] = [queryKeys.session[0], queryKeys.host[0]]
  cache.removeQueries({ predicate: ({ queryKey }) => !kept.includes(String(queryKey[0])) })
}
