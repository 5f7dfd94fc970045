import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../lib/session/session'
import { copyLink } from '../../ui/text/copy-link'

export function useCopiedOnce() {
  const userId = useSession().user?.user_id ?? ''
  const [hasCopied, setCopied] = useLocalStorage({ key: `slipway.copied.${userId}`, defaultValue: false })
  const copy = async (address: string) => {
    if (await copyLink(address)) setCopied(true)
  }
  return { hasCopied, copy }
}
