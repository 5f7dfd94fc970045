import type { Release } from '../../../server/contract'
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
 * it. Returns undefined if the person cancelled.
 */
export async function askToMakePublic(client: Client, step: Step): Promise<boolean | undefined> {
  const { version, verb } = step
  // A host that does not answer fails the change that follows, which says so.
  const count = await countPrivateFiles(client, step).catch(() => 0)
  if (count === 0) return false

  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them']
  const answer = await choose({
    title: `${verb} ${version}`,
    message: `Its ${formatFiles(count)} ${are} private: visitors do not get ${them}.`,
    confirmLabel: `${verb} and make its ${formatFiles(count)} public`,
    otherLabel: `${verb} only`,
  })

  return answer && answer === 'confirm'
}

/** Counts those that the person may make public and a visitor would look for. */
async function countPrivateFiles(client: Client, { id, version }: Step): Promise<number> {
  const [{ project }, { release }] = await Promise.all([
    client.projects.byId({ id }),
    client.releases.byVersion({ id, version }),
  ])
  if (!project.is_public) return 0
  return release.files.filter(({ is_public, can }) => !is_public && can.includes('publish')).length
}

/** What a promotion changed. */
export interface Promoted {
  release: Release
  /** The ids of the files that became public with it. */
  made_public: readonly string[]
}

/** Undoes a promotion: its files are private again before visitors could miss the release. */
export async function undoPromotion(
  client: Client,
  { release, made_public }: Promoted,
  at: { id: string; channel: string },
): Promise<Promoted> {
  const files = release.files.filter(({ file_id }) => made_public.includes(file_id))

  const outcome = await eachFile(files, (file_ids) =>
    client.files.setVisibilityOfMany({ file_ids, is_public: false }),
  )
  if (outcome.failures.length > 0) notifyError(failuresText('change visibility of', outcome))

  return client.releases.promote({ ...at, version: release.version })
}
