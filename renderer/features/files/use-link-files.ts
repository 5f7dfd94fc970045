import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { File } from '../../../server/contract'
import { useClient } from '../../lib/client-context'
import { failureText } from '../../lib/failure'
import { messages } from '../../lib/messages'
import { notifySuccess } from '../../ui/notify'
import { refreshProjects } from './use-linked-files'

interface Linking {
  files: readonly File[]
  version: string
  platform: string
}

/** Adds files to a project one after the other. Those before a failure stay added, and the failure names its file. */
export function useLinkFiles(projectId: string, onAdded: () => void) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, version, platform }: Linking) => {
      const release = { version: version.trim() || null, platform: platform.trim() || null }
      for (const { file_id, filename } of files) {
        await client.projects.link({ id: projectId, file_id, ...release }).catch((cause: unknown) => {
          throw new Error(`${filename}: ${failureText(cause, { failed: messages.project.addFilesFailed })}`)
        })
      }
    },
    onSuccess: (_, { files }) => {
      notifySuccess(messages.project.filesAdded(files.length))
      onAdded()
    },
    onSettled: () => refreshProjects(cache),
  })
}
