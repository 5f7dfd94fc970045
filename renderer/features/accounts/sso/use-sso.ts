import { useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router-dom'
import { loginForm } from '../../../../server/texts/account-texts'
import { ApiError } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { useLinkToken } from '../../../lib/hooks/use-link-token'
import { useHost } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { useSignInState, type SignInState } from '../../../lib/session/sign-in-state'
import { paths } from '../../../paths'
import { notifySuccess } from '../../../ui/feedback/notify'
import { endTrip, keepTrip, readTrip, type Trip } from './trip'

/** After this a page that waits says so, and offers another try, in ms. */
const PATIENCE_MS = 10_000

export interface Failure extends ReturnType<ReturnType<typeof explainFailure>> {
  /** Nothing has failed yet: what the page waits for may still come. */
  isSlow?: true
}

const noAnswer: Failure = {
  text: 'No answer yet',
  detail: 'Your connection or the sign-in service may be slow. Wait a little longer, or try again.',
  isSlow: true,
}
const noNextPage: Failure = {
  text: 'You are signed in',
  detail: 'The next page has not loaded yet. Try again to load it.',
  isSlow: true,
}

const isAnswer = (query: string) => /[?&](code|error)=/.test(query)

/** Finishes what the provider has answered in `query`. Without an answer it may begin. */
export function useSso(query: string) {
  const client = useClient()
  const navigate = useNavigate()
  const { signIn } = useSession()
  const { from, hasChosenProvider } = useSignInState()
  const invite = useLinkToken('invite')
  const { single_sign_on: provider, version } = useHost()
  /** Where a finished sign-in leads. This page stays until the code of the next one has loaded. */
  const next = useRef<string>(undefined)
  const { failure, isRunning, start, stop } = useRun(
    isAnswer(query) || hasChosenProvider === true,
    next,
  )
  const [returned] = useState(readTrip)
  const trip: Trip = isAnswer(query) ? returned : { purpose: 'sign_in', invite, from }

  const begin = async () => {
    if (!provider) {
      stop()
      // The host has not said yet whether it has one.
      if (version === '') window.location.reload()
      return
    }

    const { origin } = new URL(provider.url)
    if (origin !== window.location.origin) return window.location.replace(provider.url)

    const { link, begin: go } = client.singleSignOn
    const { purpose } = trip
    const { url } = await (purpose === 'link'
      ? link({})
      : go(purpose === 'again' ? { again: true } : { invite: trip.invite }))
    keepTrip(trip)
    window.location.replace(url)
  }

  const finish = async () => {
    endTrip()
    // The code works once, and a copied address must not have it.
    void navigate(paths.loginSso, { replace: true })
    let did = ''
    await signIn(async () => {
      const reply = await client.singleSignOn.finish({ query })
      did = reply.did
    })

    if (did === 'linked') notifySuccess('Linked. You can sign in this way from now on.')
    if (did === 'proved') notifySuccess('Identity confirmed. Try again.')
    next.current = trip.from ?? (did === 'signed_in' ? paths.dashboard : paths.account)
    // A late answer takes back what the page said about it.
    start()
    await navigate(next.current, { replace: true })
  }

  const run = (what: () => Promise<void>) => {
    start()
    what().catch((cause: unknown) => {
      if (cause instanceof ApiError && cause.code === 'factor_needed') {
        const state: SignInState = { ...cause.next, from: trip.from }
        return navigate(paths.loginFactor, { replace: true, state })
      }
      stop(explainFailure(loginForm)(cause))
    })
  }

  // Another site may open this page: only a person who chose the provider on a page of this host
  // goes there without a click.
  const isReady = isAnswer(query) || (hasChosenProvider === true && version !== '')
  useOnce(isReady, () => run(isAnswer(query) ? finish : begin))

  const again = () =>
    next.current === undefined ? run(begin) : window.location.replace(next.current)
  return { purpose: trip.purpose, failure, isRunning, begin: again }
}

function useOnce(isReady: boolean, act: () => void): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (!isReady || hasBegun.current) return
    hasBegun.current = true
    act()
  })
}

/** Whether the page waits, or why it does not any more: `next` tells for what it waited. */
function useRun(begins: boolean, next: RefObject<string | undefined>) {
  const [failure, setFailure] = useState<Failure>()
  const [isRunning, setRunning] = useState(begins)

  // Whatever does not come: the host, the page of the provider, or the code of the next page.
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => {
      setRunning(false)
      setFailure(next.current === undefined ? noAnswer : noNextPage)
    }, PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isRunning, next])

  const change = (runs: boolean, why?: Failure) => {
    setFailure(why)
    setRunning(runs)
  }
  return {
    failure,
    isRunning,
    start: () => change(true),
    stop: (why?: Failure) => change(false, why),
  }
}
