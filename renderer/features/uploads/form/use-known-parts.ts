import { useEffect, useState } from 'react'
import { unfinishedFor, type Unfinished } from '../transport/unfinished'
import type { UploadSource } from '../upload'
import { useUnfinishedList } from '../dock/use-unfinished'

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

const known = (file: UploadSource, unfinished: readonly Unfinished[]) =>
  file instanceof File ? unfinishedFor(file, unfinished).catch(() => undefined) : undefined
