import { Card, Text, Title } from '@mantine/core'
import type { ProjectDay } from '../../../../server/contract'
import { formatCount, formatWhole } from '../../../lib/texts/format'
import { BarChart } from '../../../ui/chart/bar-chart'
import { describeHistory, formatShortDay, sumMeasure, type Measure } from './history'

const HEIGHT = 180

const looks: Record<Measure, { title: string; color: string }> = {
  downloads: { title: 'Downloads', color: 'var(--accent-text)' },
  views: { title: 'Views', color: 'var(--mantine-primary-color-light-color)' },
}

export function HistoryChart({ days, measure }: { days: readonly ProjectDay[]; measure: Measure }) {
  const { title, color } = looks[measure]
  const total = sumMeasure(days, measure)

  return (
    <Card component="section" padding="md" aria-label={title}>
      <Title order={2} size="h4" c="dimmed">
        {title}
      </Title>
      <Text c="dimmed" mb="sm" title={formatWhole(total)}>
        <Text component="span" size="xl" fw={600} c="var(--mantine-color-text)">
          {formatCount(total)}
        </Text>{' '}
        in the last {days.length} days
      </Text>
      <BarChart
        label={describeHistory(days, measure)}
        name={title}
        color={color}
        height={HEIGHT}
        bars={days.map((day) => ({ at: formatShortDay(day.date), value: day[measure] }))}
      />
    </Card>
  )
}
