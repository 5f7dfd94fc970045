import { formatSize, formatWhole } from '../../lib/texts/format'
import { Stat } from '../../ui/chart/stat'
import classes from './builds.module.css'
import { useBuildStats } from './use-builds'

export function BuildStatistics() {
  const { data: stats, error } = useBuildStats()
  const shown = (value: string | undefined) => value ?? (error ? '–' : undefined)
  return (
    <dl className={classes.stats} aria-label="Statistics">
      <Stat label="Total builds" value={shown(stats && formatWhole(stats.total_builds))} />
      <Stat label="Total size" value={shown(stats && formatSize(stats.total_size))} />
      <Stat
        label="Versions"
        value={shown(stats && formatWhole(stats.versions.length))}
        hint={stats?.versions.slice(0, 50).join(', ') ?? ''}
      />
    </dl>
  )
}
