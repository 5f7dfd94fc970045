import type { LinkedFile } from '../../../server/contract'
import { choose } from '../../ui/dialog/confirm'
import { notifyError } from '../../ui/feedback/notify'
import { formatFiles } from '../texts/format'
import type { Client } from './api-client'
import { eachFile, failuresText } from './each-file'

interface Step {
  id: string
  version: string
  verb: 'Promote' | 'Publish'
}

/**
 * Visitors do not get the private files of a stable release: asks whether to make them public with
 * it. Returns those files, none if they stay private, or undefined if the person cancelled.
 */
export async function askAboutPrivateFiles(
  client: Client,
  step: Step,
): Promise<LinkedFile[] | undefined> {
  const { version, verb } = step
  // A host that does not answer fails the change that follows, which says so.
  const files = await loadPrivateFiles(client, step).catch(() => [])
  if (files.length === 0) return []

  const [are, them] = files.length === 1 ? ['is', 'it'] : ['are', 'them']
  const answer = await choose({
    title: `${verb} ${version}`,
    message: `Its ${formatFiles(files.length)} ${are} private: visitors do not get ${them}.`,
    confirmLabel: `${verb} and make its ${formatFiles(files.length)} public`,
    otherLabel: `${verb} only`,
  })
  if (answer === undefined) return undefined

  return answer === 'confirm' ? files : []
}

/** Those that the person may make public and a visitor would look for. */
async function loadPrivateFiles(client: Client, { id, version }: Step): Promise<LinkedFile[]> {
  const [{ project }, { release }] = await Promise.all([
    client.projects.byId({ id }),
    client.releases.byVersion({ id, version }),
  ])
  if (!project.is_public) return []
  return release.files.filter(({ is_public, can }) => !is_public && can.includes('publish'))
}

/**
 * Makes the files of a release public with it, or private again. Names those that could not be
 * changed.
 */
export async function setVisibility(
  client: Client,
  files: readonly LinkedFile[],
  isPublic: boolean,
): Promise<void> {
  const outcome = await eachFile(files, (file_ids) =>
    client.files.setVisibilityOfMany({ file_ids, is_public: isPublic }),
  )
  if (outcome.failures.length > 0) notifyError(failuresText('change visibility of', outcome))
}
