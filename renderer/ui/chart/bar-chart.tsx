import { BarChart as Chart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { formatCount, formatWhole } from '../../lib/words/format'

interface BarChartProps {
  label: string
  /** What the bars count: 'Downloads'. */
  name: string
  bars: { at: string; value: number }[]
  color: string
  height: number
}

/**
 * A bar chart. Load it lazily, because its library is large. Screen readers get it as one image: show the numbers in a
 * table beside it.
 */
export function BarChart({ label, name, bars, color, height }: BarChartProps) {
  return (
    <div role="img" aria-label={label}>
      <Chart
        h={height}
        data={bars}
        dataKey="at"
        series={[{ name: 'value', label: name, color }]}
        valueFormatter={formatWhole}
        gridAxis="x"
        tickLine="none"
        xAxisProps={{ minTickGap: 32, interval: 'preserveStartEnd' }}
        yAxisProps={{ allowDecimals: false, width: 36, tickFormatter: formatCount }}
        barChartProps={{
          accessibilityLayer: false,
          barCategoryGap: '10%',
          margin: { top: 8, right: 0, bottom: 0, left: 0 },
        }}
        barProps={{ isAnimationActive: false, radius: [2, 2, 0, 0] }}
      />
    </div>
  )
}
