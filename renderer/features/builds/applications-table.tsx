import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Application } from '../../../server/contract'
import { formatQuantity, formatSize } from '../../lib/texts/format'
import { paths } from '../../paths'
import { Version } from '../../ui/file/version'
import { DataTable, type Column } from '../../ui/table/data-table'
import { Monogram } from '../../ui/text/monogram'
import { Time } from '../../ui/text/time'
import classes from './builds.module.css'

const columns: Column<Application>[] = [
  { header: 'Application', onPhone: 'title', cell: (application) => <Name {...application} /> },
  {
    header: 'Newest versions',
    width: 380,
    onPhone: 'title',
    cell: ({ newest }) => <NewestVersions newest={newest} />,
  },
  {
    header: 'Builds',
    width: 100,
    fits: true,
    cell: ({ builds }) => formatQuantity(builds, 'build'),
  },
  { header: 'Size', width: 120, fits: true, cell: ({ total_size }) => formatSize(total_size) },
  {
    header: 'Newest',
    width: 160,
    fits: true,
    cell: ({ newest: [first] }) => first && <Time value={first.buildDate} />,
  },
]

/** One row per application, which opens its builds. */
export const ApplicationsTable = ({
  applications,
  stale,
}: {
  applications: readonly Application[]
  stale: boolean
}) => (
  <DataTable
    label="Applications"
    rows={applications}
    rowKey={({ application }) => application}
    columns={columns}
    stale={stale}
  />
)

function Name({ application, title, icon_url }: Application) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Monogram name={title} icon={icon_url} size={28} />
      <Anchor
        component={Link}
        to={`${paths.builds}?application=${encodeURIComponent(application)}`}
        truncate
        fw={600}
      >
        <bdi>{title}</bdi>
      </Anchor>
    </Group>
  )
}

/** One line per channel: its newest version, and those of platforms that differ. */
function NewestVersions({ newest }: Pick<Application, 'newest'>) {
  const channels = Map.groupBy(newest, ({ channel }) => channel)

  return (
    <Stack gap={4} className={classes.versions}>
      {[...channels].map(([channel, builds]) => (
        <Group key={channel} gap="4px 8px">
          <Text span inherit c="dimmed">
            {channel}
          </Text>
          {[...Map.groupBy(builds, ({ version }) => version)].map(([version, same]) => (
            <Group key={version} gap={6}>
              <Version version={version} unknown="No version" />
              <span>{same.flatMap(({ platform }) => platform ?? []).join(', ')}</span>
            </Group>
          ))}
        </Group>
      ))}
    </Stack>
  )
}
