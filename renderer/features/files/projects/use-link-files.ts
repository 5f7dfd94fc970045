import type { BuildWarning, File } from '../../../../server/contract'
import { eachFile, reasonsText } from '../../../lib/client/each-file'
import { fileLists } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { prepareRelease, type ReleaseWish } from '../../uploads/form/prepare-release'

/** A file that was added to a project, with the host's warnings about it as a build. */
export interface WarnedFile {
  filename: string
  warnings: readonly BuildWarning[]
}

interface LinkRequest {
  projectId: string
  files: readonly File[]
  release: ReleaseWish & { platform: string }
}

/** Adds files to a project. Reports failures; other files stay added. */
export const useLinkFiles = (
  onWarnings: (files: readonly WarnedFile[]) => void = () => undefined,
) =>
  useCall(
    async (client, { projectId, files, release }: LinkRequest) => {
      await prepareRelease(client, projectId, release)

      const fields = {
        version: release.version.trim() || null,
        platform: release.platform.trim() || null,
      }
      const warnings: (BuildWarning & { id: string })[] = []

      const link = async (file_ids: string[]) => {
        const some = await client.projects.linkMany({ id: projectId, file_ids, ...fields })
        warnings.push(...some.warnings)
        return some
      }

      const outcome = await eachFile(files, link, () => undefined)
      const warned = files.map(({ file_id, filename }) => ({
        filename,
        warnings: warnings.filter(({ id }) => id === file_id),
      }))

      onWarnings(warned.filter((file) => file.warnings.length > 0))
      if (outcome.failures.length > 0)
        throw new Error(`Failed to add files. ${reasonsText(outcome)}`)
    },
    {
      done: (_reply, { files }) => `Successfully added ${files.length} file(s) to project`,
      refresh: fileLists,
    },
  ).mutateAsync
