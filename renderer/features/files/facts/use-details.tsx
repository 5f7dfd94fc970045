import { Suspense, useRef, useState } from 'react'
import { useLoadLater } from '../../../lib/browser/after-first-view'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { rememberControl } from '../../../ui/dialog/return-focus'
import type { DetailedFile } from './facts-list'

const loadDrawer = () => import('./facts-drawer')
const FactsDrawer = lazyPage(loadDrawer, 'FactsDrawer')

/**
 * The details of one file at a time. Closing them returns the focus to the control that opened
 * them.
 */
export function useDetails() {
  useLoadLater(loadDrawer)
  const [file, setFile] = useState<DetailedFile>()
  const [isOpen, setOpen] = useState(false)
  const returnFocus = useRef(() => {})

  const show = (next: DetailedFile) => {
    returnFocus.current = rememberControl()
    setFile(next)
    setOpen(true)
  }

  const close = () => {
    setOpen(false)
    returnFocus.current()
  }

  const drawer = (
    <Suspense>{file && <FactsDrawer file={file} isOpen={isOpen} onClose={close} />}</Suspense>
  )

  return { show, drawer }
}
