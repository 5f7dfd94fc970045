import { useQueryClient } from '@tanstack/react-query'
import type { BuildWarning, File } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { eachFile, reasonsText } from '../../lib/client/each-file'
import { messages } from '../../lib/texts/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { prepareRelease, type ReleaseWish } from '../uploads/form/prepare-release'
import type { WarnedFile } from './link-warnings'
import { refreshProjects } from './use-linked-files'

/** Adds files to a project. Failures are named; the others stay added. */
export function useLinkFiles(projectId: string, onWarnings: (files: readonly WarnedFile[]) => void) {
  const client = useClient()
  const cache = useQueryClient()
  const link = async (files: readonly File[], release: ReleaseWish & { platform: string }) => {
    await prepareRelease(client, projectId, release)
    const fields = { version: release.version.trim() || null, platform: release.platform.trim() || null }
    const warnings: (BuildWarning & { id: string })[] = []
    const linkSome = async (file_ids: string[]) => {
      const some = await client.projects.linkMany({ id: projectId, file_ids, ...fields })
      warnings.push(...some.warnings)
      return some
    }
    const outcome = await eachFile(files, linkSome, () => undefined)
    const warned = files.map(({ file_id, filename }) => ({
      filename,
      warnings: warnings.filter(({ id }) => id === file_id),
    }))
    onWarnings(warned.filter((file) => file.warnings.length > 0))
    if (outcome.failures.length > 0) throw new Error(`${messages.project.addFilesFailed}. ${reasonsText(outcome)}`)
    notifySuccess(messages.project.filesAdded(files.length))
  }
  return (...args: Parameters<typeof link>) => link(...args).finally(() => void refreshProjects(cache))
}
