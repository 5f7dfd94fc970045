import { formatSize, formatWhole } from '../../lib/texts/format'
import { Stat } from '../../ui/chart/stat'
import classes from './builds.module.css'
import { useBuildStats } from './use-builds'

export function BuildStatistics() {
  const { data: stats, error } = useBuildStats()
  const withFallback = (value: string | undefined) => value ?? (error ? '–' : undefined)

  return (
    <dl className={classes.stats} aria-label="Statistics">
      <Stat label="Total builds" value={withFallback(stats && formatWhole(stats.total_builds))} />
      <Stat label="Total size" value={withFallback(stats && formatSize(stats.total_size))} />
      <Stat
        label="Versions"
        value={withFallback(stats && formatWhole(stats.versions.length))}
        hint={stats?.versions.slice(0, 50).join(', ') ?? ''}
      />
    </dl>
  )
}
