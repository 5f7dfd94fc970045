import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconChartBar, IconTableExport } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Project, ProjectDay, StatisticsShare } from '../../../../server/contract'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { useOpenProject } from '../../../lib/host/open-project'
import { useSearchParam } from '../../../lib/hooks/use-search-param'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { Loaded } from '../../../ui/feedback/loaded'
import { Disclosure } from '../../../ui/layout/disclosure'
import { saveBlob } from '../../../ui/file/save-blob'
import { ranges, sumMeasure } from './history'
import { ProjectStats } from './project-stats'
import { HistoryChart } from './history-chart'
import { Shares } from './shares'
import { toCsv } from './to-csv'
import { useProjectHistory } from './use-project-history'

const HistoryTable = lazyPage(() => import('./history-table'), 'HistoryTable')

export function ProjectStatisticsPage() {
  const project = useOpenProject()
  const history = useProjectHistory(project.project_id)

  return (
    <Stack gap="md">
      <ProjectStats project={project} />
      <Loaded
        query={history}
        title="The statistics could not be loaded"
        skeleton={<ChartsSkeleton />}
      >
        {({ from_bucket, ...rest }) => (
          <Statistics project={project} {...rest} isHandedOver={from_bucket} />
        )}
      </Loaded>
    </Stack>
  )
}

interface StatisticsProps {
  project: Project
  days: readonly ProjectDay[]
  shares: readonly StatisticsShare[]
  /** Whether a bucket sends large files. */
  isHandedOver: boolean
}

function Statistics({ project, days, shares, isHandedOver }: StatisticsProps) {
  const [chosen, setChosen] = useSearchParam('days')

  const range = ranges.find((count) => String(count) === chosen) ?? ranges[0]
  const visibleDays = days.slice(-range)
  if (sumMeasure(days, 'downloads') + sumMeasure(days, 'views') === 0)
    return <NothingCounted project={project} />

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text c="dimmed">
          Each visitor counts once within 30 minutes. Days are in UTC.
          {isHandedOver && ' Downloads from the bucket are counted when handed to it.'}
        </Text>
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconTableExport size={16} />}
            onClick={() => saveBlob(toCsv(visibleDays, shares), `${project.slug}-statistics.csv`)}
          >
            Download CSV
          </Button>
          <SegmentedControl
            aria-label="Range"
            value={String(range)}
            onChange={(value) => setChosen(value === String(ranges[0]) ? '' : value)}
            data={ranges.map((count) => ({ value: String(count), label: `${count} days` }))}
          />
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <HistoryChart days={visibleDays} measure="downloads" />
        <HistoryChart days={visibleDays} measure="views" />
      </SimpleGrid>
      <Shares shares={shares.map((share) => ({ ...share, days: share.days.slice(-range) }))} />
      <Disclosure label="Show as a table">
        <Suspense>
          <HistoryTable days={visibleDays} />
        </Suspense>
      </Disclosure>
    </Stack>
  )
}

function NothingCounted({ project: { is_public } }: { project: Project }) {
  return (
    <EmptyState
      icon={IconChartBar}
      title="Nothing to count yet"
      text={
        is_public
          ? 'Share the page of the project. From the first visit on, downloads and views ' +
            'appear here day by day.'
          : 'Make the project public and share its page. Downloads and views then appear here ' +
            'day by day.'
      }
    />
  )
}

function ChartsSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      <Skeleton h={36} w={180} ml="auto" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Skeleton h={284} />
        <Skeleton h={284} />
      </SimpleGrid>
    </Stack>
  )
}
