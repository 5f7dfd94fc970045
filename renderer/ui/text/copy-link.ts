import { copyText } from '../../lib/browser/clipboard'
import { notifyError, notifySuccess } from '../feedback/notify'

/** Copies an address and says so. Returns whether the browser allowed it. */
export async function copyLink(address: string): Promise<boolean> {
  const isCopied = await copyText(address)
  if (isCopied) notifySuccess('Link copied')
  else notifyError(`This browser did not allow copying. The address is ${address}`)
  return isCopied
}
