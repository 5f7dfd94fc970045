import { useState } from 'react'
import type { StorageStats } from '../../../server/contract'
import { judge } from './admission'
import { commonPlatform } from './common-platform'
import { isUnfinished, type UploadOptions } from './upload-queue'
import { useUploads } from './use-uploads'

type Project = NonNullable<UploadOptions['project']>

interface Form {
  isPublic: boolean
  project: Project | undefined
  version: string
  /** Undefined: not touched, so the names of the files decide. */
  platform: string | undefined
}

export type ChosenFiles = ReturnType<typeof useChosenFiles>

/** The files that were chosen but not yet sent, and what is to happen to them. */
export function useChosenFiles(storage: StorageStats | undefined, into?: Project) {
  const { uploads, queue } = useUploads()
  const blank: Form = { isPublic: false, project: into, version: '', platform: undefined }
  const [files, setFiles] = useState<File[]>([])
  const [form, setForm] = useState(blank)
  const choices = judge(files, storage, bytesOf(uploads.filter(isUnfinished).map(({ file }) => file)))
  const accepted = choices.filter(({ refusal }) => !refusal).map(({ file }) => file)
  const platform = form.platform ?? commonPlatform(accepted.map(({ name }) => name))

  const clear = () => {
    setFiles([])
    setForm(blank)
  }
  const start = () => {
    const { project, version, isPublic } = form
    queue.add(accepted, { isPublic, ...(project ? { project, ...release(version, platform) } : {}) })
    clear()
  }
  return {
    choices,
    accepted,
    form: { ...form, platform },
    change: (news: Partial<Form>) => setForm((current) => ({ ...current, ...news })),
    choose: (added: readonly File[]) => setFiles((current) => [...current, ...added]),
    drop: (file: File) => setFiles((current) => current.filter((other) => other !== file)),
    clear,
    start,
  }
}

/** Version and platform as the contract wants them: trimmed, and absent instead of empty. */
function release(version: string, platform: string) {
  const given = { version: version.trim(), platform: platform.trim() }
  return {
    ...(given.version ? { version: given.version } : {}),
    ...(given.platform ? { platform: given.platform } : {}),
  }
}

const bytesOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0)
