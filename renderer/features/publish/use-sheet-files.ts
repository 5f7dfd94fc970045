import { useEffect, useEffectEvent, useState } from 'react'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useStorage } from '../../lib/hooks/use-storage'
import { useUnfinishedList } from '../uploads/dock/use-unfinished'
import type { PublishRequest } from '../uploads/drop/drop-place'
import { useUploads } from '../uploads/queue/use-uploads'
import { judge, type Choice } from '../uploads/transport/admission'
import { addressOf, keptOf, unfinishedFor, type Unfinished } from '../uploads/transport/unfinished'
import {
  isSent,
  isUnfinished,
  type Upload,
  type UploadOptions,
  type UploadSource,
} from '../uploads/upload'

/** A file of the sheet, and its upload, which begins before the person has decided. */
export interface SheetFile extends Choice {
  upload: Upload | undefined
}

/**
 * The files of the sheet. Each upload starts immediately and private, so that the host reads the
 * package while the person decides. Two kinds start after the decision: an interrupted upload,
 * because its earlier options on the host could publish it, and a file for a project of another
 * owner, because it need not fit into the sender's storage.
 */
export function useSheetFiles({ files, place: { project } }: PublishRequest) {
  const { uploads, queue } = useUploads()
  const unfinished = useUnfinishedList()
  const storage = useStorage().data
  const target = useMyProjects().data?.find(({ project_id }) => project_id === project?.id)

  const isPaidByOther = target?.role === 'maintainer'
  const parts = useStoredParts(files, unfinished)

  const uploadOf = (file: UploadSource) => uploads.find((upload) => upload.file === file)
  const fresh = files.filter((file) => !uploadOf(file))
  const choices = judge(fresh, isPaidByOther ? undefined : storage, {
    bytes: bytesAhead(uploads, unfinished ?? []),
    parts: parts ?? new Map(),
  })

  const sheetFiles = files.map((file): SheetFile => ({
    ...(choices.find((choice) => choice.file === file) ?? { file, refusal: undefined }),
    upload: uploadOf(file),
  }))

  const begin = useEffectEvent((interrupted: ReadonlyMap<UploadSource, Unfinished>) => {
    const ready = choices
      .filter(({ file, refusal }) => !refusal && !interrupted.has(file))
      .map(({ file }) => file)
    if (ready.length > 0) queue.add(ready, { isPublic: false }, new Map(), true)
  })

  const isReady =
    parts !== undefined &&
    storage !== undefined &&
    !isPaidByOther &&
    (!project || target !== undefined)

  useEffect(() => {
    if (isReady) begin(parts)
  }, [isReady, parts])

  const accepted = sheetFiles.filter(({ refusal }) => !refusal)
  const release = (options: UploadOptions) => {
    // Uploads may have begun since the person decided, while the host created the project.
    const chosen = accepted.map(({ file }) => file)
    const begun = queue.list().filter(({ file }) => chosen.includes(file))
    queue.release(
      begun.map(({ id }) => id),
      options,
    )

    const storedParts = new Map([...(parts ?? [])].map(([file, part]) => [file, keptOf(part)]))
    const others = chosen.filter((file) => !begun.some((upload) => upload.file === file))
    queue.add(others, options, storedParts)
  }

  // The list of the host has those that this page sends, too.
  const [only] = fresh.length === 1 && files.length === 1 ? fresh : []
  return { files: sheetFiles, accepted, begun: only && parts?.get(only), isPaidByOther, release }
}

/** Bytes that already claim storage: being sent, or reserved on the host. */
function bytesAhead(uploads: readonly Upload[], unfinished: readonly Unfinished[]): number {
  const addresses = new Set(unfinished.map(addressOf))
  const own = uploads.filter(
    (upload) => isUnfinished(upload) && !addresses.has(upload.keptAt ?? ''),
  )
  return [...own.map(({ file }) => file), ...unfinished].reduce((sum, { size }) => sum + size, 0)
}

/** The interrupted uploads of these files; undefined while they are looked for. */
function useStoredParts(
  files: readonly UploadSource[],
  unfinished: readonly Unfinished[] | undefined,
) {
  const [parts, setParts] = useState<ReadonlyMap<UploadSource, Unfinished>>()

  useEffect(() => {
    if (!unfinished) return

    let isCurrent = true
    const look = async () => {
      const pairs = await Promise.all(
        files.map(async (file) => [file, await findUnfinished(file, unfinished)] as const),
      )
      if (isCurrent)
        setParts(
          new Map(
            pairs.filter((pair): pair is [UploadSource, Unfinished] => pair[1] !== undefined),
          ),
        )
    }

    void look()
    return () => void (isCurrent = false)
  }, [files, unfinished])

  return parts
}

const findUnfinished = (file: UploadSource, unfinished: readonly Unfinished[]) =>
  isSent(file) ? unfinishedFor(file, unfinished).catch(() => undefined) : undefined
