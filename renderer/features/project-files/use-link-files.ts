import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { File } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { messages } from '../../lib/words/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { eachFile, reasonsText } from '../../lib/client/each-file'
import { refreshProjects } from './use-linked-files'

interface Linking {
  files: readonly File[]
  version: string
  platform: string
}

/** Adds files to a project. Failures are named; the others stay added. */
export function useLinkFiles(projectId: string, onAdded: () => void) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, version, platform }: Linking) => {
      const release = { version: version.trim() || null, platform: platform.trim() || null }
      const link = (file_ids: string[]) => client.projects.linkMany({ id: projectId, file_ids, ...release })
      const outcome = await eachFile(files, link, () => undefined)
      if (outcome.failures.length > 0) throw new Error(`${messages.project.addFilesFailed}. ${reasonsText(outcome)}`)
    },
    onSuccess: (_, { files }) => {
      notifySuccess(messages.project.filesAdded(files.length))
      onAdded()
    },
    onSettled: () => refreshProjects(cache),
  })
}
