import {
  Anchor,
  Autocomplete,
  Button,
  Card,
  Group,
  Image,
  NativeSelect,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconCopy, IconFile, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { Project, Report, ReportState } from '../../../server/contract'
import { isMissing } from '../../lib/client/failure'
import { useOpenProject } from '../../lib/host/open-project'
import { formatDate, formatQuantity, formatSize } from '../../lib/texts/format'
import { downloadUrl, paths } from '../../paths'
import { BackLink } from '../../ui/layout/back-link'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { Time } from '../../ui/text/time'
import { useCopy } from '../../ui/text/use-copy'
import { Answer } from './answer'
import { StateBadge } from './reports-table'
import {
  describeDevice,
  describeVersions,
  kindTexts,
  nameReporter,
  reportStates,
  stateTexts,
} from './texts'
import { useRemoveReport, useReport, useSetReportState } from './use-reports'
import { writeIssue } from './write-issue'

/** /projects/:id/reports/:reportId: one report with its files and answers. */
export function ReportPage() {
  const project = useOpenProject()
  const { reportId = '' } = useParams()
  const report = useReport(project.project_id, reportId)

  return (
    <Stack gap="md">
      <BackLink to={paths.projectReports(project.project_id)} text="All reports" />
      {isMissing(report.error) ? (
        <EmptyState icon={IconTrash} title="Report not found" text="It may have been deleted." />
      ) : (
        <Loaded
          query={report}
          title="This report could not be loaded"
          skeleton={<TableSkeleton rows={4} />}
        >
          {(data) => <OpenReport project={project} report={data} />}
        </Loaded>
      )}
    </Stack>
  )
}

interface PartProps {
  project: Project
  report: Report
}

const buildAddress = ({ project, report }: PartProps, attachmentId: string) =>
  downloadUrl.report(project.project_id, report.report_id, attachmentId)

function OpenReport(props: PartProps) {
  const { project, report } = props

  return (
    <Stack gap="lg" maw={760}>
      <Stack gap={4}>
        <Group gap="sm">
          <Title order={2} size="h3">
            {kindTexts[report.kind]}
          </Title>
          <StateBadge {...report} />
        </Group>
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{nameReporter(report)}</bdi>
          {report.tester !== null && report.tester !== nameReporter(report) && (
            <>
              {' '}
              by the link <bdi>{report.tester}</bdi>
            </>
          )}{' '}
          · <Time value={report.created_at} />
          {report.version !== null && ` · version ${report.version}`}
          {describeDevice(report) !== '' && ` · ${describeDevice(report)}`}
          {report.device.language !== null && ` · ${report.device.language}`}
        </Text>
      </Stack>
      <Actions {...props} />
      <Said by={nameReporter(report)} text={report.text} at={report.created_at} />
      <Crash {...props} />
      <Attachments {...props} />
      {report.replies.map(({ reply_id, username, text, created_at }) => (
        <Said
          key={reply_id}
          by={username ?? nameReporter(report)}
          text={text}
          at={created_at}
          isTeam={username !== null}
        />
      ))}
      <Answer projectId={project.project_id} reportId={report.report_id} />
    </Stack>
  )
}

function Actions(props: PartProps) {
  const { project, report } = props
  const navigate = useNavigate()
  const remove = useRemoveReport(
    project.project_id,
    () => void navigate(paths.projectReports(project.project_id)),
  )
  const issue = writeIssue(report, (id) => window.location.origin + buildAddress(props, id))
  const { copied, copy } = useCopy(issue)

  return (
    <Group gap="sm" align="end">
      <ChangeState key={`${report.state} ${report.fixed_in ?? ''}`} {...props} />
      <Button variant="default" leftSection={<IconCopy size={16} />} onClick={copy}>
        {copied ? 'Copied' : 'Copy as issue'}
      </Button>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => remove(report)}
      >
        Delete
      </Button>
    </Group>
  )
}

function ChangeState({ project, report }: PartProps) {
  const set = useSetReportState(project.project_id, report.report_id)
  const versions = new Set(
    project.downloads.flatMap(({ release }) => (release ? [release.version] : [])),
  )

  return (
    <>
      <NativeSelect
        label="State"
        data={reportStates.map((value) => ({ value, label: stateTexts[value] }))}
        value={report.state}
        disabled={set.isPending}
        onChange={({ currentTarget }) =>
          set.mutate({ state: currentTarget.value as ReportState, fixed_in: report.fixed_in })
        }
      />
      {report.state === 'fixed' && (
        <Autocomplete
          label="Fixed in version"
          placeholder="1.4.1"
          w={180}
          defaultValue={report.fixed_in ?? ''}
          data={[...versions]}
          onOptionSubmit={(fixed_in) => set.mutate({ state: 'fixed', fixed_in })}
          onBlur={({ currentTarget }) => {
            const fixed_in = currentTarget.value.trim() || null
            if (fixed_in !== report.fixed_in) set.mutate({ state: 'fixed', fixed_in })
          }}
        />
      )}
    </>
  )
}

interface SaidProps {
  by: string
  text: string
  at: string
  isTeam?: boolean
}

const Said = ({ by, text, at, isTeam = false }: SaidProps) => (
  <Card withBorder padding="md" bd={isTeam ? '1px solid var(--mantine-primary-color-filled)' : ''}>
    <Text size="sm" c="dimmed">
      <bdi>{by}</bdi> · <Time value={at} />
    </Text>
    <Text mt={6} dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  </Card>
)

/** The group of a report: how often, and in which versions. */
function Crash({ project, report: { signature, group } }: PartProps) {
  if (signature === null || group === null) return null
  const versions = describeVersions(group)
  const noun = group.first_version === group.last_version ? 'version' : 'versions'

  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <code>{signature}</code> · {formatQuantity(group.reports, 'time')}
      {versions !== '' && ` · ${noun} ${versions}`}
      {' · since '}
      <Time value={group.since} inSentence />
      {group.reports > 1 && (
        <>
          {' · '}
          <Anchor
            component={Link}
            to={paths.reportsWith(project.project_id, { signature })}
            inherit
          >
            Show all
          </Anchor>
          . They all share this state.
        </>
      )}
    </Text>
  )
}

/** What happens, or has happened, to the files of a closed report. */
function FilesEnd({ report: { files_until, files_deleted } }: PartProps) {
  if (files_deleted > 0)
    return (
      <Text size="sm" c="dimmed">
        {formatQuantity(files_deleted, 'file was', 'files were')} deleted after this report was
        closed.
      </Text>
    )
  if (files_until === null) return null
  return (
    <Text size="sm" c="dimmed">
      Its files are deleted on {formatDate(files_until)}.
    </Text>
  )
}

function Attachments(props: PartProps) {
  const { attachments } = props.report
  if (attachments.length === 0) return <FilesEnd {...props} />

  return (
    <Stack gap="xs">
      <Group gap="sm" component="section" aria-label="Files" align="start">
        {attachments.map(({ attachment_id, filename, size, is_picture }) => (
          <Anchor
            key={attachment_id}
            href={buildAddress(props, attachment_id)}
            download={filename}
            title={filename}
            w={160}
          >
            {is_picture ? (
              <Image
                src={buildAddress(props, attachment_id)}
                alt={`Screenshot ${filename}`}
                h={160}
                fit="contain"
                radius="sm"
                loading="lazy"
              />
            ) : (
              <IconFile size={32} aria-hidden />
            )}
            <Text size="xs" truncate>
              {filename}
            </Text>
            <Text size="xs" c="dimmed">
              {formatSize(size)}
            </Text>
          </Anchor>
        ))}
      </Group>
      <FilesEnd {...props} />
    </Stack>
  )
}
