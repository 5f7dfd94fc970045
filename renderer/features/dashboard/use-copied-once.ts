import { useLocalStorage } from '@mantine/hooks'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { useSession } from '../../lib/session/session'

export function useCopiedOnce() {
  const userId = useSession().user?.user_id ?? ''
  const [hasCopied, setCopied] = useLocalStorage({
    key: `slipway.copied.${userId}`,
    defaultValue: false,
  })
  const copyLink = useCopyLink()
  const copy = async (path: string) => {
    if (await copyLink(path)) setCopied(true)
  }
  return { hasCopied, copy }
}
