import type { Project, UnfinishedUpload } from '../../../../server/contract'
import { calls } from '../../../../server/contract/calls'
import { address } from '../../../lib/client/api-client'
import { computeFingerprint } from './file-fingerprint'
import type { SentSource, UploadOptions } from '../upload'
import type { StoredPart } from './upload-transport'

/** An interrupted upload: the host keeps its first part for some days. */
export type Unfinished = UnfinishedUpload

export const addressOf = ({ upload_id }: Pick<Unfinished, 'upload_id'>): string =>
  address(calls.uploads.discard, { id: upload_id }).url

export const idIn = (address: string): string =>
  decodeURIComponent(address.slice(address.lastIndexOf('/') + 1))

export const keptOf = (unfinished: Unfinished): StoredPart => ({
  address: addressOf(unfinished),
  offset: unfinished.offset,
})

/** The options it began with. `projects`: those of the person, for their titles. */
export function toOptions(upload: Unfinished, projects: readonly Project[]): UploadOptions {
  const { is_public: isPublic, project_id: id, version, platform } = upload
  if (id === null) return { isPublic }
  const match = projects.find(({ project_id }) => project_id === id)
  const project = { id, title: match?.title ?? 'the project', isPublic: match?.is_public ?? false }
  return { isPublic, project, ...(version ? { version } : {}), ...(platform ? { platform } : {}) }
}

/**
 * The upload that this file resumes: same name, size, modification time and bytes. Throws ApiError.
 */
export async function unfinishedFor(
  file: SentSource,
  list: readonly Unfinished[],
): Promise<Unfinished | undefined> {
  const candidates = list.filter(({ size }) => size === file.size)
  if (candidates.length === 0) return undefined
  const fingerprint = await computeFingerprint(file)
  return candidates.find((candidate) => candidate.fingerprint === fingerprint)
}
