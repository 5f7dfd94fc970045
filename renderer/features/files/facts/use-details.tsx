import { useRef, useState } from 'react'
import { rememberControl } from '../../../ui/dialog/return-focus'
import { FactsDrawer } from './facts-drawer'
import type { DetailedFile } from './facts-list'

/** The details of one file at a time. Closing them returns the focus to the control that opened them. */
export function useDetails() {
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
  return { show, drawer: file && <FactsDrawer file={file} isOpen={isOpen} onClose={close} /> }
}
