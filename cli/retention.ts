import type { RetentionPlan } from '../server/contract/projects/retention'
import { formatSize } from '../server/texts/format'
import { retentionText, stayText } from '../server/texts/files/retention-texts'
import { Failure } from './failure'
import type { Host } from './host'
import { sendChange, withBody } from './releases'

interface Choice {
  channel: string
  /** As typed: a number, or `all`. */
  count: string
  isPreview: boolean
}

/** Keeps the last releases of a channel, or previews what would move. */
export async function keep(
  host: Host,
  project: string,
  { channel, count, isPreview }: Choice,
): Promise<RetentionPlan> {
  const number = count === 'all' ? null : parseCount(count)
  const path = `/api/projects/${encodeURIComponent(project)}/retention`
  if (!isPreview)
    return sendChange<RetentionPlan>(host, path, withBody('PUT', { channel, keep: number }))
  if (number === null)
    throw new Failure('usage', 'There is nothing to preview: with "all", every release stays')
  return host.json<RetentionPlan>(
    `${path}/preview?${new URLSearchParams({ channel, keep: String(number) }).toString()}`,
  )
}

function parseCount(input: string): number {
  const count = Number(input)
  if (/^\d{1,4}$/.test(input) && count > 0) return count
  throw new Failure('usage', `${input} is no number of releases: choose 1 to 1000, or all`)
}

export function planLines(plan: RetentionPlan, isPreview: boolean): string[] {
  const going = plan.releases.map(
    ({ version, published_at, size }) =>
      `${published_at.slice(0, 10)}  ${formatSize(size).padStart(10)}  ${version}`,
  )
  const more = plan.total - going.length

  return [
    retentionText(plan, isPreview),
    ...going,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...plan.stays.map((stay) => `${stay.version} stays: ${stayText(stay)}`),
  ]
}
