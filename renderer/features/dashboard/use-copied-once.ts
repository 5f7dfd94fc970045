import { useLocalStorage } from '@mantine/hooks'
import { copyText } from '../../visitor/parts/copy-text'
import { useSession } from '../../lib/session/session'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

export function useCopiedOnce() {
  const userId = useSession().user?.user_id ?? ''
  const [hasCopied, setCopied] = useLocalStorage({ key: `slipway.copied.${userId}`, defaultValue: false })
  const copy = async (address: string) => {
    if (!(await copyText(address))) return notifyError(`This browser did not allow copying. The address is ${address}`)
    setCopied(true)
    notifySuccess('Link copied')
  }
  return { hasCopied, copy }
}
