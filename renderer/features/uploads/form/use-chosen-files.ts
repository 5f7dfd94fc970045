import { useEffect, useState } from 'react'
import type { StorageStats } from '../../../../server/contract'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { judge } from '../transport/admission'
import { addressOf, keptOf, optionsOf, unfinishedFor, type Unfinished } from '../transport/unfinished'
import { isUnfinished, type Upload, type UploadOptions, type UploadSource } from '../upload'
import { useUnfinishedList } from '../dock/use-unfinished'
import { useUploads } from '../queue/use-uploads'
import { commonPlatform, usePreparation, type ReleaseWish } from './prepare-release'

type Project = NonNullable<UploadOptions['project']>

interface Form extends ReleaseWish {
  isPublic: boolean
  project: Project | undefined
  /** Undefined: not touched, so the filenames decide. */
  platform: string | undefined
}

const blank = { isPublic: false, version: '', platform: undefined, channel: '', isDraft: false }

export type ChosenFiles = ReturnType<typeof useChosenFiles>

/** `into`: the project of the page, and the version that its form starts with. */
export function useChosenFiles(storage: StorageStats | undefined, into?: Project, version = '') {
  const { uploads, queue } = useUploads()
  const projects = useMyProjects().data ?? []
  const [files, setFiles] = useState<readonly UploadSource[]>([])
  const [touched, setTouched] = useState<Partial<Form>>({})
  const parts = useKnownParts(files)
  const [only] = files.length === 1 ? files : []
  const begun = only && parts.get(only)
  // A resumed upload keeps its options until the person changes them.
  const asBegun = begun && { ...optionsOf(begun, projects), ...(into ? { project: into } : {}) }
  const form: Form = { ...blank, version, project: into, ...asBegun, ...touched }
  const choices = judge(files, storage, { bytes: bytesAhead(uploads, useUnfinishedList() ?? []), parts })
  const accepted = choices.filter(({ refusal }) => !refusal).map(({ file }) => file)
  const platform = form.platform ?? commonPlatform(accepted.map(({ name }) => name))

  const clear = () => {
    setFiles([])
    setTouched({})
  }
  const { prepare, isPreparing } = usePreparation(form.project?.id, form, () => {
    const { project, isPublic } = form
    const kept = new Map([...parts].map(([file, upload]) => [file, keptOf(upload)]))
    queue.add(accepted, { isPublic, ...(project ? { project, ...release(form.version, platform) } : {}) }, kept)
    clear()
  })
  return {
    choices,
    accepted,
    form: { ...form, platform },
    change: (news: Partial<Form>) => setTouched((current) => ({ ...current, ...news })),
    choose: (added: readonly UploadSource[]) => setFiles((current) => [...current, ...added]),
    drop: (file: UploadSource) => setFiles((current) => current.filter((other) => other !== file)),
    clear,
    start: prepare,
    isStarting: isPreparing,
  }
}

function release(version: string, platform: string) {
  const given = { version: version.trim(), platform: platform.trim() }
  return {
    ...(given.version ? { version: given.version } : {}),
    ...(given.platform ? { platform: given.platform } : {}),
  }
}

/** Bytes that already claim storage: being sent, or reserved on the host. */
function bytesAhead(uploads: readonly Upload[], unfinished: readonly Unfinished[]): number {
  const known = new Set(unfinished.map(addressOf))
  const own = uploads.filter((upload) => isUnfinished(upload) && !known.has(upload.keptAt ?? ''))
  return [...own.map(({ file }) => file), ...unfinished].reduce((sum, { size }) => sum + size, 0)
}

function useKnownParts(files: readonly UploadSource[]): ReadonlyMap<UploadSource, Unfinished> {
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
