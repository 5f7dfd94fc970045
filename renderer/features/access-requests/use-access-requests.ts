import { keepPreviousData } from '@tanstack/react-query'
import type { AccessRequest, AccessSettings } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { eachFile, failedFiles, failuresText } from '../../lib/client/each-file'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { formatQuantity } from '../../lib/texts/format'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

/** Requests on one page of the list. */
export const PAGE_SIZE = 50

/** The requests of a project in a state, with their numbers. */
export const useAccessRequests = (projectId: string, state: AccessRequest['state'], page: number) =>
  useLoad(
    [...queryKeys.projects.accessRequests(projectId), { state, page }],
    (client, signal) =>
      client.accessRequests.list(
        { id: projectId, state, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
        signal,
      ),
    { refetchInterval: ASK_EVERY_MS, placeholderData: keepPreviousData },
  )

export const nameAsker = ({ name, email }: AccessRequest): string => name ?? email ?? 'No name'

type Answer = 'approve' | 'decline'

const ANSWERED = { approve: 'approved', decline: 'declined' } as const

/** What `eachFile` needs of a request. */
const nameRequests = (requests: readonly AccessRequest[]) =>
  requests.map((request) => ({
    file_id: request.request_id,
    filename: nameAsker(request),
    request,
  }))

/** Answers requests. Failures are named and stay selected. */
export function useAnswer(
  projectId: string,
  answer: Answer,
  onDone: (requests: readonly AccessRequest[]) => void,
) {
  return useCall(
    (client: Client, requests: readonly AccessRequest[]) =>
      eachFile(nameRequests(requests), (request_ids) =>
        client.accessRequests[answer]({ id: projectId, request_ids }),
      ),
    {
      after: (_cache, outcome, _requests, again) => {
        onDone(outcome.done.map(({ request }) => request))
        if (outcome.failures.length > 0)
          notifyError(failuresText(answer, outcome, 'request'), () =>
            again(failedFiles(outcome).map(({ request }) => request)),
          )
        else notifySuccess(`${formatQuantity(outcome.done.length, 'request')} ${ANSWERED[answer]}`)
      },
      refresh: [
        queryKeys.projects.accessRequests(projectId),
        queryKeys.projects.testers(projectId),
      ],
    },
  )
}

export const useConfigureAccess = (projectId: string) =>
  useCall(
    (client, settings: Omit<AccessSettings, 'testers'>) =>
      client.accessRequests.configure({ id: projectId, ...settings }),
    { done: 'Settings saved', refresh: [queryKeys.projects.all] },
  )
