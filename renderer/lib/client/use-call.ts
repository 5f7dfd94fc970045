import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import type { Client } from './api-client'
import { useClient } from './client-context'
import { failureText, mayRetry } from './failure'
import { refresh } from './query-client'

interface CallOptions<Reply, Input> {
  /** Asks before `mutate` sends anything. */
  ask?: (input: Input) => boolean | Promise<boolean>
  /** Shows the change before the host confirms it. Returns the undo. */
  show?: (cache: QueryClient, input: Input) => Promise<() => void> | undefined
  /**
   * Runs after a success, before its message. `again` sends another input, such as the part that
   * failed.
   */
  after?: (cache: QueryClient, reply: Reply, input: Input, again: (input: Input) => void) => unknown
  /** The message of a success. */
  done?: string | ((reply: Reply, input: Input) => string | undefined)
  /**
   * The message of a failure that has no better one, with its reason and Retry. Without it, the
   * caller shows `error`.
   */
  failed?: string | undefined | ((input: Input, cause: Error) => string | undefined)
  /** Keys that the call makes stale, even on failure: the data may have changed elsewhere. */
  refresh?: readonly QueryKey[]
}

/**
 * A call that changes something on the host: a mutation with its question, messages and refreshed
 * lists.
 */
export function useCall<Reply, Input = void>(
  send: (client: Client, input: Input) => Promise<Reply>,
  { ask, show, after, done, failed, refresh: stale = [] }: CallOptions<Reply, Input> = {},
) {
  const client = useClient()
  const cache = useQueryClient()
  const mutation = useMutation({
    mutationFn: (input: Input) => send(client, input),
    onMutate: (input) => show?.(cache, input),
    onSuccess: async (reply, input) => {
      await after?.(cache, reply, input, (more) => mutation.mutate(more))
      const text = typeof done === 'function' ? done(reply, input) : done
      if (text !== undefined) notifySuccess(text)
    },
    onError: (cause, input, undo) => {
      undo?.()
      const text = typeof failed === 'function' ? failed(input, cause) : failed
      const retry = mayRetry(cause) ? () => mutation.mutate(input) : undefined
      if (text !== undefined) notifyError(failureText(cause, { failed: text }), retry)
    },
    onSettled: () => refresh(cache, ...stale),
  })

  const mutate: typeof mutation.mutate = (...request) => void askAndSend(request)
  const askAndSend = async (request: Parameters<typeof mutation.mutate>) => {
    if (!ask || (await ask(request[0] as Input))) mutation.mutate(...request)
  }

  return { ...mutation, mutate }
}
