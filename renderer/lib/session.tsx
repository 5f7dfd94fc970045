import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { User } from '../../server/contract'
import { paths } from '../paths'
import type { Client } from './api-client'
import { useClient } from './client-context'
import { queryKeys } from './query-keys'
import { onUnauthorized } from './unauthorized'

interface Session {
  user: User | null
  /** The person signed out by choice: the sign-in page then opens without a way back. */
  left?: boolean
}

interface UseSession {
  status: 'loading' | 'in' | 'out'
  user?: User
  /** Whether the person signed out by choice a moment ago. */
  left: boolean
  signIn: (credentials: { username: string; password: string }) => Promise<void>
  /** Forgets the person even if the host cannot be told. */
  signOut: () => Promise<void>
}

/** Who is signed in. A failed check means: nobody. */
export function useSession(): UseSession {
  const client = useClient()
  const cache = useQueryClient()
  const { data, isPending } = useQuery({
    queryKey: queryKeys.session,
    queryFn: () => load(client, cache),
    staleTime: 60_000,
  })

  const signIn = useCallback<UseSession['signIn']>(
    async (credentials) => {
      await client.accounts.login(credentials)
      replace(cache, await load(client, cache))
    },
    [client, cache],
  )

  const signOut = useCallback(async () => {
    await client.accounts
      .logout({})
      .catch((cause: unknown) => console.error('The host could not end the session', cause))
    replace(cache, { user: null, left: true })
  }, [client, cache])

  const rest = { left: data?.left ?? false, signIn, signOut }
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
        if (pathname === paths.login) return
        replace(cache, { user: null })
        void navigate(paths.login, { state: { from: pathname + search + hash } })
      }),
    [cache, navigate],
  )
}

/** A check that cannot be made means nobody at first, and no change later: a host that restarts signs nobody out. */
async function load(client: Client, cache: QueryClient): Promise<Session> {
  try {
    const { authenticated } = await client.accounts.check({})
    return { user: authenticated ? (await client.accounts.me({})).user : null }
  } catch (cause) {
    console.error('The session could not be checked', cause)
    return cache.getQueryData<Session>(queryKeys.session) ?? { user: null }
  }
}

/** Another person (or nobody) looks at the page now: nothing that the one before saw is kept. */
function replace(cache: QueryClient, session: Session): void {
  cache.setQueryData<Session>(queryKeys.session, session)
  const kept: readonly string[] = [queryKeys.session[0], queryKeys.host[0]]
  cache.removeQueries({ predicate: ({ queryKey }) => !kept.includes(String(queryKey[0])) })
}
