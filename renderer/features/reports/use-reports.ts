import { keepPreviousData } from '@tanstack/react-query'
import type { Report, ReportKind, ReportSettings, ReportState } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'

/** Reports on one page of the list. */
export const PAGE_SIZE = 50

export interface ReportFilter {
  state: ReportState | undefined
  kind: ReportKind | undefined
  version: string | undefined
  signature: string | undefined
}

/** The reports of a project that match, with their numbers. */
export const useReports = (projectId: string, filter: ReportFilter, page: number) =>
  useLoad(
    [...queryKeys.projects.reports(projectId), { ...filter, page }],
    (client, signal) =>
      client.reports.list(
        { id: projectId, ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
        signal,
      ),
    { refetchInterval: ASK_EVERY_MS, placeholderData: keepPreviousData },
  )

export const useReport = (projectId: string, reportId: string) =>
  useLoad(
    [...queryKeys.projects.reports(projectId), reportId],
    async (client, signal) =>
      (await client.reports.get({ id: projectId, reportId }, signal)).report,
    { refetchInterval: ASK_EVERY_MS },
  )

export const useSetReportState = (projectId: string, reportId: string) =>
  useCall(
    (client, change: { state: ReportState; fixed_in?: string | null }) =>
      client.reports.update({ id: projectId, reportId, ...change }),
    {
      done: 'State changed. The reporter sees it.',
      failed: 'Failed to change the state',
      refresh: [queryKeys.projects.reports(projectId)],
    },
  )

export const useReply = (projectId: string, reportId: string) =>
  useCall((client, text: string) => client.reports.reply({ id: projectId, reportId, text }), {
    refresh: [queryKeys.projects.reports(projectId)],
  })

export const useRemoveReport = (projectId: string, after: () => void) =>
  useCall(
    (client, { report_id: reportId }: Report) => client.reports.remove({ id: projectId, reportId }),
    {
      ask: () =>
        confirm({
          title: 'Delete this report',
          message:
            'This deletes the report with its files and answers, and the page of the reporter ' +
            'stops working. This cannot be undone.',
          confirmLabel: 'Delete',
          danger: true,
        }),
      after,
      done: 'Report deleted',
      failed: 'Failed to delete the report',
      refresh: [queryKeys.projects.reports(projectId), queryKeys.storage],
    },
  ).mutate

export const useConfigureReports = (projectId: string) =>
  useCall(
    (client, settings: Pick<ReportSettings, 'reporters' | 'room' | 'file_days'>) =>
      client.reports.configure({ id: projectId, ...settings }),
    { done: 'Settings saved', refresh: [queryKeys.projects.all] },
  )
