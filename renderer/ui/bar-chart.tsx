import { BarChart as Chart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useReducedMotion } from '@mantine/hooks'
import { formatCount, formatWhole } from '../lib/format'

interface BarChartProps {
  /** The chart in one sentence, for those who cannot see it. */
  label: string
  /** What the bars count: 'Downloads'. */
  name: string
  bars: { at: string; value: number }[]
  color: string
  height: number
}

/**
 * One number over time. It brings a large library along, so it is loaded lazily where it is shown; and it is a picture
 * to screen readers and keyboards: a table beside it says the same.
 */
export function BarChart({ label, name, bars, color, height }: BarChartProps) {
  const reduceMotion = useReducedMotion()
  return (
    <div role="img" aria-label={label}>
      <Chart
        h={height}
        data={bars}
        dataKey="at"
        series={[{ name: 'value', label: name, color }]}
        valueFormatter={formatWhole}
        gridAxis="y"
        tickLine="none"
        xAxisProps={{ minTickGap: 32, interval: 'preserveStartEnd' }}
        yAxisProps={{ allowDecimals: false, width: 36, tickFormatter: formatCount }}
        barChartProps={{
          accessibilityLayer: false,
          barCategoryGap: 1,
          margin: { top: 4, right: 0, bottom: 0, left: 0 },
        }}
        barProps={{ isAnimationActive: !reduceMotion, animationDuration: 200, radius: [2, 2, 0, 0] }}
        tooltipAnimationDuration={reduceMotion ? 0 : 120}
      />
    </div>
  )
}
