import { useEffect, useState } from 'react'
import type { StorageStats } from '../../../../server/contract'
import { useClient } from '../../../lib/client/client-context'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { judge } from '../transport/admission'
import { addressOf, keptOf, toOptions, unfinishedFor, type Unfinished } from '../transport/unfinished'
import { isSent, isUnfinished, type Upload, type UploadOptions, type UploadSource } from '../upload'
import { useUnfinishedList } from '../dock/use-unfinished'
import { useUploads } from '../queue/use-uploads'
import { commonPlatform, prepareRelease, type ReleaseWish } from './prepare-release'

type Project = NonNullable<UploadOptions['project']>

interface Values extends ReleaseWish {
  isPublic: boolean
  project: Project | undefined
  platform: string
}

export type ChosenFiles = ReturnType<typeof useChosenFiles>

/** `into`: the project of the page, and the version that its form starts with. */
export function useChosenFiles(storage: StorageStats | undefined, into?: Project, version = '') {
  const client = useClient()
  const { uploads, queue } = useUploads()
  const projects = useMyProjects().data ?? []
  const [files, setFiles] = useState<readonly UploadSource[]>([])
  const parts = useKnownParts(files)
  const [only] = files.length === 1 ? files : []
  const begun = only && parts.get(only)
  const choices = judge(files, storage, { bytes: bytesAhead(uploads, useUnfinishedList() ?? []), parts })
  const accepted = choices.filter(({ refusal }) => !refusal).map(({ file }) => file)
  const platform = commonPlatform(accepted.map(({ name }) => name))
  const blank: Values = { isPublic: false, version, platform, channel: '', isDraft: false, project: undefined }
  // A resumed upload keeps its options until the person changes them.
  const saved = { ...blank, ...(begun && toOptions(begun, projects)), ...(into && { project: into }) }
  const form = useApiForm({
    saved,
    send: async (values) => {
      const { project, isPublic } = values
      if (project) await prepareRelease(client, project.id, values)
      const storedParts = new Map([...parts].map(([file, upload]) => [file, keptOf(upload)]))
      queue.add(accepted, { isPublic, ...(project ? { project, ...release(values) } : {}) }, storedParts)
      setFiles([])
      return saved
    },
    failed: 'The release could not be created',
  })
  return {
    choices,
    accepted,
    form,
    choose: (added: readonly UploadSource[]) => setFiles((current) => [...current, ...added]),
    drop: (file: UploadSource) => setFiles((current) => current.filter((other) => other !== file)),
    clear: () => setFiles([]),
  }
}

function release(values: Pick<Values, 'version' | 'platform'>) {
  const version = values.version.trim()
  const platform = values.platform.trim()
  return { ...(version ? { version } : {}), ...(platform ? { platform } : {}) }
}

/** Bytes that already claim storage: being sent, or reserved on the host. */
function bytesAhead(uploads: readonly Upload[], unfinished: readonly Unfinished[]): number {
  const addresses = new Set(unfinished.map(addressOf))
  const own = uploads.filter((upload) => isUnfinished(upload) && !addresses.has(upload.keptAt ?? ''))
  return [...own.map(({ file }) => file), ...unfinished].reduce((sum, { size }) => sum + size, 0)
}

function useKnownParts(files: readonly UploadSource[]): ReadonlyMap<UploadSource, Unfinished> {
  const unfinished = useUnfinishedList()
  const [parts, setParts] = useState<ReadonlyMap<UploadSource, Unfinished>>(new Map())
  useEffect(() => {
    let isCurrent = true
    const look = async () => {
      const pairs = await Promise.all(
        files.map(async (file) => [file, await findUnfinished(file, unfinished ?? [])] as const),
      )
      if (isCurrent)
        setParts(new Map(pairs.filter((pair): pair is [UploadSource, Unfinished] => pair[1] !== undefined)))
    }
    void look()
    return () => void (isCurrent = false)
  }, [files, unfinished])
  return parts
}

const findUnfinished = (file: UploadSource, unfinished: readonly Unfinished[]) =>
  isSent(file) ? unfinishedFor(file, unfinished).catch(() => undefined) : undefined
