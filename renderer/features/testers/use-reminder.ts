import type { Reminded } from '../../../server/contract/notices'
import { nameTold } from '../../../server/texts/reminder-texts'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { formatQuantity } from '../../lib/texts/format'
import { confirm } from '../../ui/dialog/confirm'

/** Who of the testers below a version would be told of the newest one. */
export const useReminder = (projectId: string, below: string) =>
  useLoad([...queryKeys.projects.testers(projectId), 'reminder', below], (client, signal) =>
    client.notices.planReminder({ id: projectId, below }, signal),
  )

/** Tells them, after a question that says of what. */
export const useRemind = (projectId: string, below: string) =>
  useCall((client, _planned: Reminded) => client.notices.remind({ id: projectId, below }), {
    ask: (planned) =>
      confirm({
        title: `Notify testers below ${below}`,
        message:
          `${formatQuantity(planned.mails, 'person', 'people')} will get an email that ` +
          `${nameTold(planned)} is available, with release notes and a download link.`,
        confirmLabel: `Send ${formatQuantity(planned.mails, 'email')}`,
      }),
    done: ({ mails }) =>
      mails === 0 ? 'Everyone was already notified' : `${formatQuantity(mails, 'email')} queued`,
    failed: 'Failed to notify testers',
    refresh: [queryKeys.projects.testers(projectId)],
  })
