import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

/**
 * The token of a one-time link (`?setup=…`). Moves it from the address into the history entry,
 * where it survives a reload but is not copied or seen.
 */
export function useLinkToken(name: 'setup' | 'invite' | 'link'): string | undefined {
  const [params] = useSearchParams()
  const { pathname, state } = useLocation() as {
    pathname: string
    state: Record<string, string> | null
  }
  const navigate = useNavigate()

  const token = params.get(name) ?? undefined

  useEffect(() => {
    if (token !== undefined)
      void navigate(pathname, { replace: true, state: { ...state, [name]: token } })
  }, [navigate, pathname, state, name, token])

  return token ?? state?.[name]
}
