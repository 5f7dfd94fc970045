import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { loadPart } from '../../lib/browser/load-part'
import { refresh } from '../../lib/client/query-client'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { ApiError } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { resumableUploadsOf } from '../../lib/host/host'
import { newUploadKey } from '../uploads/upload'
import { importExport, type ImportResult } from './import-export'

const loadSender = () => import('../uploads/transport/send-to-host')

/** What an import does now. `fileId`: the zip is on the host, and need not be sent again. */
export type ImportState =
  | { step: 'idle' }
  | { step: 'sending' | 'importing'; done: number; size: number; isWaiting?: boolean }
  | { step: 'done'; result: ImportResult }
  | { step: 'failed'; error: ApiError; fileId?: string }

/** Sends a zip to the host and imports it there. Leaving the page cancels it. */
export function useImport() {
  const client = useClient()
  const cache = useQueryClient()
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const running = useRef<AbortController>(undefined)
  const chosen = useRef<File>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (fileId: string | undefined, asCopy: boolean) => {
    const { signal } = (running.current = new AbortController())
    const show = (next: ImportState) => void (signal.aborted || setState(next))
    let stored = fileId

    try {
      stored ??= await send(signal, show)
      show({ step: 'importing', done: 0, size: 0 })
      const result = await importExport({
        ...{ fileId: stored, asCopy, signal },
        onProgress: ({ bytes: done, size }) => show({ step: 'importing', done, size }),
      })
      show({ step: 'done', result })
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : new ApiError('internal', FAILED, 0)
      show({ step: 'failed', error, ...(stored !== undefined && { fileId: stored }) })
    }
    await refresh(cache, ...fileLists, queryKeys.uploads, queryKeys.exportSummary)
  }

  const send = async (signal: AbortSignal, show: (next: ImportState) => void) => {
    const file = chosen.current
    if (!file) throw new ApiError('file_missing', 'Choose the ZIP again', 0)
    const shown = (sent: number, isWaiting = false) =>
      show({ step: 'sending', done: sent, size: file.size, isWaiting })
    let at = 0
    shown(at)
    const { sendToHost } = await loadPart(loadSender)
    const { file_id } = await sendToHost(client, () => resumableUploadsOf(cache))(file, {
      options: { isPublic: false, isImport: true },
      key: newUploadKey(),
      onKept: ({ offset }) => shown((at = offset)),
      onProgress: (sent) => shown((at = sent)),
      onInPlace: () => undefined,
      onInterrupted: () => shown(at, true),
      signal,
    })
    return file_id
  }

  return {
    state,
    start: (file: File) => {
      chosen.current = file
      void run(undefined, false)
    },
    /** Continues with the zip that is on the host, if it is. */
    again: (asCopy: boolean) => {
      void run(state.step === 'failed' ? state.fileId : undefined, asCopy)
    },
    stop: () => {
      running.current?.abort()
      setState({ step: 'idle' })
    },
  }
}

const FAILED = 'The import failed. Nothing was imported'
