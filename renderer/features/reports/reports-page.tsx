import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconApps, IconDownload, IconMessageReport, IconSettings, IconX } from '@tabler/icons-react'
import { useSearchParams } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useOpenProject } from '../../lib/host/open-project'
import { cutText, formatWhole } from '../../lib/texts/format'
import { downloadUrl } from '../../paths'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { NothingFound } from '../../ui/feedback/nothing-found'
import { MoreTools } from '../../ui/table/more-tools'
import { Pager } from '../../ui/table/pager'
import { TableSkeleton } from '../../ui/table/skeletons'
import { ReportsTable } from './reports-table'
import { kindTexts, reportKinds, reportStates, stateTexts } from './texts'
import { PAGE_SIZE, useReports, type ReportFilter } from './use-reports'

const AppKeyDialog = lazyPage(() => import('./app-key-dialog'), 'AppKeyDialog')
const ReportSettingsDialog = lazyPage(() => import('./report-settings'), 'ReportSettingsDialog')

type List = NonNullable<ReturnType<typeof useReports>['data']>

/** /projects/:id/reports: what testers and visitors say about the project. */
export function ReportsPage() {
  const project = useOpenProject()
  const { filter, page, replaceFilter } = useFilter()
  const reports = useReports(project.project_id, filter, page)
  const settings = useLateDialog()
  const appKey = useLateDialog()
  const mayChange = project.can.includes('update')

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" flex="1 1 16rem">
          Problems, ideas and crashes that people reported. Only the project team can see them.
        </Text>
        <Group gap="sm">
          {project.can.includes('link') && (
            <Button variant="default" leftSection={<IconApps size={16} />} onClick={appKey.open}>
              From your app…
            </Button>
          )}
          {mayChange && (
            <Button
              variant="default"
              leftSection={<IconSettings size={16} />}
              onClick={settings.open}
            >
              Settings
            </Button>
          )}
        </Group>
      </Group>
      <AfterFirstView isNeeded={appKey.isNeeded}>
        <AppKeyDialog project={project} isOpen={appKey.isOpen} onClose={appKey.close} />
      </AfterFirstView>
      <Loaded
        query={reports}
        title="The reports could not be loaded"
        skeleton={<TableSkeleton rows={6} />}
      >
        {(list) => (
          <>
            <Toolbar project={project} list={list} filter={filter} onChange={replaceFilter} />
            {list.reports.length === 0 ? (
              <NoReports list={list} onShowAll={() => replaceFilter({})} />
            ) : (
              <ReportsTable
                projectId={project.project_id}
                reports={list.reports}
                stale={reports.isPlaceholderData}
              />
            )}
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={list.total}
              onPage={(next) => replaceFilter({ ...filter, page: next })}
            />
            <AfterFirstView isNeeded={settings.isNeeded}>
              <ReportSettingsDialog
                projectId={project.project_id}
                saved={list.settings}
                isOpen={settings.isOpen}
                onClose={settings.close}
              />
            </AfterFirstView>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

type NextFilter = Partial<Record<keyof ReportFilter, string | undefined>> & { page?: number }

/** The filter is in the address, so that it survives a reload and can be shared. */
function useFilter() {
  const [params, setParams] = useSearchParams()
  const filter: ReportFilter = {
    state: reportStates.find((state) => state === params.get('state')),
    kind: reportKinds.find((kind) => kind === params.get('kind')),
    version: params.get('version') ?? undefined,
    signature: params.get('signature') ?? undefined,
  }
  const page = Math.max(1, Math.floor(Number(params.get('page') ?? 1)) || 1)

  const replaceFilter = ({ page: nextPage = 1, ...next }: NextFilter) =>
    setParams(
      Object.fromEntries([
        ...Object.entries(next).filter((it): it is [string, string] => Boolean(it[1])),
        ...(nextPage > 1 ? [['page', String(nextPage)] as const] : []),
      ]),
      { replace: true },
    )

  return { filter, page, replaceFilter }
}

interface ToolbarProps {
  project: Project
  list: List
  filter: ReportFilter
  onChange: (next: NextFilter) => void
}

function Toolbar({ project, list, filter, onChange }: ToolbarProps) {
  const { by_state, by_version } = list
  const all = Object.values(by_state).reduce((sum, count) => sum + count, 0)
  if (all === 0) return null

  const select = (name: keyof ReportFilter, label: string, data: [string, string][]) => (
    <NativeSelect
      flex={{ base: '1 1 10rem', xs: '0 0 180px' }}
      aria-label={label}
      data={data.map(([value, text]) => ({ value, label: text }))}
      value={filter[name] ?? ''}
      onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.value })}
    />
  )

  return (
    <Group gap="sm">
      {filter.signature !== undefined && (
        <Button
          variant="light"
          rightSection={<IconX size={14} />}
          aria-label={`Show all groups, not only ${filter.signature}`}
          maw="100%"
          onClick={() => onChange({ ...filter, signature: undefined })}
        >
          {cutText(filter.signature, 40)}
        </Button>
      )}
      {select('state', 'State', [
        ['', `All states (${formatWhole(all)})`],
        ...reportStates.map((state): [string, string] => [
          state,
          `${stateTexts[state]} (${formatWhole(by_state[state])})`,
        ]),
      ])}
      <MoreTools
        label="More filters"
        isUsed={filter.kind !== undefined || filter.version !== undefined}
      >
        {select('kind', 'Kind', [
          ['', 'All kinds'],
          ...reportKinds.map((kind): [string, string] => [kind, kindTexts[kind]]),
        ])}
        {select('version', 'Version', [
          ['', 'All versions'],
          ...by_version.map(({ version, reports, fixed }): [string, string] => [
            version,
            `${version} (${formatWhole(reports)}, ${formatWhole(fixed)} fixed)`,
          ]),
        ])}
      </MoreTools>
      <Button
        component="a"
        href={downloadUrl.reports(project.project_id, filter)}
        download
        variant="subtle"
        ml="auto"
        leftSection={<IconDownload size={16} />}
      >
        CSV
      </Button>
    </Group>
  )
}

function NoReports({ list, onShowAll }: { list: List; onShowAll: () => void }) {
  const isFiltered = Object.values(list.by_state).some((count) => count > 0)
  if (isFiltered) {
    return (
      <NothingFound text="No report matches." showAll="Show all reports" onShowAll={onShowAll} />
    )
  }

  const { reporters } = list.settings
  const text = {
    off: 'Reports are off. You can turn them on in Settings.',
    testers:
      'Testers find “Report a problem” on the page of their tester link. ' +
      'Create one on the Team tab.',
    everyone: 'Testers and visitors find “Report a problem” on the project page.',
  }
  return <EmptyState icon={IconMessageReport} title="No reports yet" text={text[reporters]} />
}
