import { useEffect, useState } from 'react'
import { unfinishedFor, type Unfinished } from '../transport/unfinished'
import type { UploadSource } from '../queue/upload'
import { useUnfinishedList } from '../dock/use-unfinished'

/** Which of the chosen files the host has the first part of. It is found out a moment after they were chosen. */
export function useKnownParts(files: readonly UploadSource[]): ReadonlyMap<UploadSource, Unfinished> {
  const unfinished = useUnfinishedList()
  const [found, setFound] = useState<ReadonlyMap<UploadSource, Unfinished>>(new Map())
  useEffect(() => {
    let isCurrent = true
    const look = async () => {
      const pairs = await Promise.all(files.map(async (file) => [file, await known(file, unfinished ?? [])] as const))
      if (isCurrent)
        setFound(new Map(pairs.filter((pair): pair is [UploadSource, Unfinished] => pair[1] !== undefined)))
    }
    void look()
    return () => void (isCurrent = false)
  }, [files, unfinished])
  return found
}

/** A file that cannot be read says so when it is sent. */
const known = (file: UploadSource, unfinished: readonly Unfinished[]) =>
  file instanceof File ? unfinishedFor(file, unfinished).catch(() => undefined) : undefined
