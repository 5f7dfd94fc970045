import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Transfer } from '../../../../server/contract'
import { ApiError } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { failureText } from '../../../lib/client/failure'
import { hostMessages } from '../../../lib/words/host-messages'
import { queryKeys } from '../../../lib/client/query-keys'
import { confirm } from '../../../ui/dialog/confirm'
import { notifyError } from '../../../ui/feedback/notify'
import { nameOf, whoOf } from './host-words'

/** Ends a transfer after a question. One that just ended by itself is no failure. */
export function useCutTransfer() {
  const client = useClient()
  const cache = useQueryClient()
  const cutting = useMutation({
    mutationFn: ({ transfer_id: id }: Transfer) => client.activity.cut({ id }),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.activity }),
    onError: (cause) => {
      const isOver = cause instanceof ApiError && cause.status === 404
      if (!isOver) notifyError(failureText(cause, { failed: hostMessages.host.cutFailed }))
    },
  })
  return async (transfer: Transfer) => {
    const isSure = await confirm({
      title: `End this ${transfer.direction}`,
      message: hostMessages.host.confirmCut(nameOf(transfer), whoOf(transfer)),
      confirmLabel: `End ${transfer.direction}`,
      danger: true,
    })
    if (isSure) cutting.mutate(transfer)
  }
}
