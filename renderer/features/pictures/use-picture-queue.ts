import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { Api, PictureKind, Project } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { PICTURE_BYTES } from '../../../server/contract/limits'
import { address, ApiError, connectionLost, readReply } from '../../lib/client/api-client'
import { failureText } from '../../lib/client/failure'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { nameOfKind, usePictureActions } from './use-picture-actions'

/** A picture on its way to the host, or why it did not get there. */
export interface SentPicture {
  key: number
  kind: PictureKind
  file: File
  /** The id of the screenshot that it replaces. */
  replaces?: string | undefined
  /** From 0 to 1; at 1 the host resizes the picture. */
  share: number
  error?: string
}

/** Sends pictures one at a time, which limits the load on the host. */
export function usePictureQueue({ project_id: id }: Project) {
  const cache = useQueryClient()
  const { restore } = usePictureActions(id)
  const [sent, setSent] = useState<readonly SentPicture[]>([])
  const line = useRef(Promise.resolve())
  const next = useRef(0)

  const change = (key: number, fields: Partial<SentPicture>) =>
    setSent((all) => all.map((it) => (it.key === key ? { ...it, ...fields } : it)))
  const forget = (key: number) => setSent((all) => all.filter((it) => it.key !== key))

  const send = async ({ key, kind, file, replaces }: SentPicture) => {
    try {
      if (file.size > PICTURE_BYTES)
        return change(key, { error: 'This picture is larger than 10 MB. Send a smaller one.' })
      const reply = await sendPicture(file, { id, kind, replaces }, (share) =>
        change(key, { share }),
      )
      await refresh(cache, queryKeys.projects.all, queryKeys.storage, queryKeys.trash)
      forget(key)
      const { trash_id } = reply
      if (trash_id !== null) notifyUndo(`${nameOfKind[kind]} replaced`, () => restore(trash_id))
    } catch (cause) {
      change(key, {
        error: failureText(cause, {
          failed: 'The picture was not added',
          unreachable: 'The host did not answer',
        }),
      })
    }
  }

  /** `replaces`: the id of a screenshot, for one file. */
  const add = (kind: PictureKind, files: readonly File[], replaces?: string) => {
    const added = files.map((file): SentPicture => ({
      key: next.current++,
      kind,
      file,
      replaces,
      share: 0,
    }))
    // An icon or a cover has one place: what failed there before is over.
    setSent((all) => [...all.filter((it) => kind === 'screenshot' || it.kind !== kind), ...added])
    for (const it of added) line.current = line.current.then(() => send(it))
  }

  const retry = ({ key, kind, file, replaces }: SentPicture) => {
    forget(key)
    add(kind, [file], replaces)
  }

  return { sent, add, retry, forget }
}

type AddedPicture = z.output<Api['pictures']['add']['reply']>
type Picked = Omit<z.input<Api['pictures']['add']['input']>, 'alt'>

/**
 * Sends one picture as it is. XMLHttpRequest, because fetch reports no upload progress. Rejects
 * with ApiError.
 */
function sendPicture(
  file: File,
  input: Picked,
  onProgress: (share: number) => void,
): Promise<AddedPicture> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(calls.pictures.add.method, address(calls.pictures.add, input).url)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      try {
        resolve(readReply(request.status, request.responseText) as AddedPicture)
      } catch (error) {
        reject(
          error instanceof Error
            ? error
            : new ApiError('internal', 'The picture was not added', request.status),
        )
      }
    }

    request.onerror = () => reject(connectionLost())
    request.send(file)
  })
}
