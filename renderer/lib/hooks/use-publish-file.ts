import { queryKeys } from '../client/query-keys'
import { useCall } from '../client/use-call'
import { messages } from '../texts/messages'

/** Makes a private file of a project public with one click. */
export const usePublishFile = () =>
  useCall((client, id: string) => client.files.setVisibility({ id, is_public: true }), {
    failed: messages.file.visibilityFailed,
    refresh: [queryKeys.projects.all],
  }).mutate
