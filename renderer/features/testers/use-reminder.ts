import type { Reminded } from '../../../server/contract/notices'
import { countNotices, nameTold } from '../../../server/texts/reminder-texts'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
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
          `${countNotices(planned)} will say that ${nameTold(planned)} is available, ` +
          'with release notes and a download link.',
        confirmLabel: `Send ${countNotices(planned)}`,
      }),
    done: (reminded) => {
      const counts = countNotices(reminded)
      return counts === '' ? 'Everyone was already notified' : `${counts} queued`
    },
    failed: 'Failed to notify testers',
    refresh: [queryKeys.projects.testers(projectId)],
  })
