import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { ListedReport } from '../../../server/contract'
import { describeState } from '../../../server/texts/report-view'
import { formatQuantity } from '../../lib/texts/format'
import { paths } from '../../paths'
import { DataTable, type Column } from '../../ui/table/data-table'
import { Time } from '../../ui/text/time'
import { describeDevice, describeVersions, kindTexts, nameReporter, stateColors } from './texts'

interface ReportsTableProps {
  projectId: string
  reports: readonly ListedReport[]
  stale: boolean
}

export function ReportsTable({ projectId, reports, stale }: ReportsTableProps) {
  const columns: Column<ListedReport>[] = [
    {
      header: 'Report',
      onPhone: 'title',
      cell: (report) => <Beginning report={report} projectId={projectId} />,
    },
    { header: 'State', width: 150, cell: StateBadge },
    {
      header: 'Version',
      width: 110,
      namedOnPhone: true,
      cell: ({ version, group }) => (group && describeVersions(group)) || (version ?? '–'),
    },
    {
      header: 'From',
      width: 150,
      namedOnPhone: true,
      cell: (report) => <bdi>{nameReporter(report)}</bdi>,
    },
    {
      header: 'Sent',
      width: 140,
      namedOnPhone: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
  ]

  return (
    <div style={{ opacity: stale ? 0.6 : 1 }}>
      <DataTable
        label="Reports"
        rows={reports}
        rowKey={({ report_id }) => report_id}
        columns={columns}
      />
    </div>
  )
}

function Beginning({ report, projectId }: { report: ListedReport; projectId: string }) {
  const device = describeDevice(report)
  const kind = report.kind === 'problem' ? '' : `${kindTexts[report.kind]}: `

  return (
    <Stack gap={2} miw={0}>
      <Anchor
        component={Link}
        to={paths.projectReport(projectId, report.report_id)}
        fw={report.state === 'new' || report.is_waiting ? 600 : 400}
        lineClamp={2}
        style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}
      >
        {kind}
        <bdi>{report.beginning}</bdi>
      </Anchor>
      <Group gap={8} wrap="wrap">
        {report.group && report.group.reports > 1 && (
          <Badge color="gray">{formatQuantity(report.group.reports, 'time')}</Badge>
        )}
        {report.signature !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <code>{report.signature}</code>
          </Text>
        )}
        {report.is_waiting && <Badge color="orange">New answer</Badge>}
        {device !== '' && (
          <Text size="xs" c="dimmed">
            <bdi>{device}</bdi>
          </Text>
        )}
        {report.attachments > 0 && (
          <Text size="xs" c="dimmed">
            <IconPaperclip size={12} aria-hidden /> {formatQuantity(report.attachments, 'file')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

export const StateBadge = ({ state, fixed_in }: Pick<ListedReport, 'state' | 'fixed_in'>) => (
  <Badge color={stateColors[state]} variant="light" maw="100%">
    {describeState(state, fixed_in)}
  </Badge>
)
