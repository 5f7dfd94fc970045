import type { QueryKey } from '@tanstack/react-query'
import type { Client } from '../../lib/client/api-client'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'

interface LinkActions<Link> {
  renew: (client: Client, link: Link) => Promise<unknown>
  end: (client: Client, link: Link) => Promise<unknown>
  /** What ends with the address, as the end of a sentence. */
  loss: string
  /** A sentence about what stays when the link ends. */
  kept?: string
  refresh: readonly QueryKey[]
}

/** Gives links new addresses and ends them, after a question. */
export function useLinkActions<Link extends { active: boolean }>(actions: LinkActions<Link>) {
  const { loss, kept = '', refresh } = actions

  const renewing = useCall(actions.renew, {
    ask: () =>
      confirm({
        title: 'New address',
        message: `The link gets a new address. The old one stops working at once, and ${loss}.`,
        confirmLabel: 'Get a new address',
      }),
    done: 'The link has a new address',
    failed: 'Failed to change the address',
    refresh,
  })

  const ending = useCall(actions.end, {
    ask: ({ active }) =>
      !active ||
      confirm({
        title: 'End the link',
        message: `The link stops working at once, and ${loss}. ${kept}`.trim(),
        confirmLabel: 'End the link',
        danger: true,
      }),
    done: (_reply, { active }) => (active ? 'Link ended' : 'Link removed'),
    failed: 'Failed to end the link',
    refresh,
  })

  return { renew: renewing.mutate, end: ending.mutate }
}
