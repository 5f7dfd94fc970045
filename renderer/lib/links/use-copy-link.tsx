import { useQueryClient } from '@tanstack/react-query'
import { notifyChoice, notifyError, notifySuccess } from '../../ui/feedback/notify'
import { copyText } from '../../visitor/parts/copy-text'
import { hostIn, isAlone, shareUrl } from '../host/host'
import { OnlyThisComputer } from './only-this-computer'

/**
 * Copies the link of a path, says so, and returns whether it worked. A link that others cannot open
 * is copied again once they can.
 */
export function useCopyLink(): (path: string) => Promise<boolean> {
  const cache = useQueryClient()

  return async function copy(path) {
    const host = hostIn(cache)
    const link = shareUrl(host, path)
    if (!(await copyText(link))) {
      notifyError(`This browser did not allow copying. The address is ${link}`)
      return false
    }

    if (isAlone(host))
      notifyChoice(
        <OnlyThisComputer
          text="Copied. Only this computer can open it."
          onShared={() => void copy(path)}
        />,
      )
    else notifySuccess('Link copied')

    return true
  }
}
