import { formatCount, formatWhole } from '../../lib/texts/format'
import classes from './bar-chart.module.css'

interface Bar {
  /** Below the axis: 'Nov 3'. */
  at: string
  value: number
}

interface BarChartProps {
  label: string
  /** The unit of the bars: 'Downloads'. */
  name: string
  bars: readonly Bar[]
  color: string
  /** In pixels. */
  height: number
}

/** Lines of the grid above zero. */
const MOST_LINES = 4
/** Share of its place that a bar fills. */
const FILLED = 0.9

/** A bar chart. Screen readers get it as one image: show the numbers in a table beside it. */
export function BarChart({ label, name, bars, color, height }: BarChartProps) {
  const lines = linesFor(Math.max(1, ...bars.map(({ value }) => value)))
  const top = lines.at(-1) ?? 1
  const percent = (share: number) => `${100 * share}%`
  const named = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)]

  return (
    <div role="img" aria-label={label} className={classes.chart} style={{ height }}>
      <div className={classes.values}>
        {lines.map((value) => (
          <span key={value} style={{ bottom: percent(value / top) }}>
            {formatCount(value)}
          </span>
        ))}
      </div>
      <svg className={classes.plot} fill={color}>
        {lines.map((value) => (
          <line
            key={value}
            className={classes.line}
            x2="100%"
            y1={percent(1 - value / top)}
            y2={percent(1 - value / top)}
          />
        ))}
        {bars.map(({ at, value }, index) => (
          <g key={at}>
            <title>{`${at}: ${formatWhole(value)} ${name.toLowerCase()}`}</title>
            <rect
              x={percent(index / bars.length)}
              width={percent(1 / bars.length)}
              height="100%"
              fill="transparent"
            />
            {value > 0 && (
              <rect
                className={classes.bar}
                x={percent((index + (1 - FILLED) / 2) / bars.length)}
                y={percent(1 - value / top)}
                width={percent(FILLED / bars.length)}
                height={percent(value / top)}
                rx={2}
              />
            )}
          </g>
        ))}
      </svg>
      <div className={classes.days}>
        {named.map((bar, index) => (
          <span key={index}>{bar?.at}</span>
        ))}
      </div>
    </div>
  )
}

/** Whole and round values from 0 to the first that is not below `most`. */
function linesFor(most: number): number[] {
  let step = 1
  for (let round = 0; step * MOST_LINES < most; round++) step *= round % 3 === 1 ? 2.5 : 2
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, line) => line * step)
}
