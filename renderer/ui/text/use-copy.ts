import { useEffect, useState } from 'react'
import { copyText } from '../../visitor/parts/copy-text'
import { notifyError } from '../feedback/notify'

export function useCopy(value: string): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    if (await copyText(value)) setCopied(true)
    else notifyError('This browser did not allow copying. Select the text and copy it by hand.')
  }

  return { copied, copy }
}
