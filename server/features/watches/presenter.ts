import type { Rooms } from '../../compose/context'
import { withoutUnseen, type Watch, type WatchedFile } from '../../contract'
import type { WatchStore } from './watch-store'
import type { WatchRecord } from '../../data/records/watch-records'

/** The most successful builds to show. */
const LAST_BUILDS = 5
const MAX_FAILURES = 20

/** A watched folder as its owner sees it at the window. */
export function presentWatch(
  { projects, watching }: Rooms<'projects' | 'watching'>,
  watch: WatchRecord,
): Watch {
  const { id, folder, pattern, versionFrom, withBelow, isPublic, isPaused } = watch
  const { state, problem, publishing } = watching.folders.statusOf(id)

  return {
    watch_id: id,
    folder,
    pattern,
    version_from: versionFrom,
    include_below: withBelow,
    is_public: isPublic,
    state: isPaused ? 'paused' : state,
    problem,
    publishing: publishing === null ? null : withoutUnseen(publishing),
    recent: presentRecent(projects.watches, id),
  }
}

function presentRecent(watches: WatchStore, id: string): WatchedFile[] {
  const dealtWith = watches.dealtWith(id)
  const failed = dealtWith.filter(({ outcome }) => outcome === 'failed').slice(-MAX_FAILURES)
  const duplicates = dealtWith.filter(({ outcome }) => outcome === 'known')
  const quiet = duplicates.map(({ name, at }) => ({
    filename: name,
    outcome: 'known' as const,
    version: null,
    warnings: [],
    at,
  }))

  const buildRecords = watches.takenFrom(id).slice(-LAST_BUILDS)
  const builds = buildRecords.map(({ filename, version, warnings = [], at }) => ({
    filename,
    outcome: 'published' as const,
    version,
    warnings: [...warnings],
    at,
  }))

  const wentWell = [...quiet, ...builds].map((file) => ({ ...file, error: null }))
  const failures = failed.map(({ name, error, at }) => ({
    filename: name,
    outcome: 'failed' as const,
    version: null,
    warnings: [],
    error,
    at,
  }))

  // The author of a file chose its name, so sanitize it.
  const visibleFiles = [...failures, ...newestFirst(wentWell).slice(0, LAST_BUILDS)]
  return visibleFiles.map((file) => ({ ...file, filename: withoutUnseen(file.filename) }))
}

const newestFirst = <T extends { at: string }>(files: readonly T[]): T[] =>
  [...files].sort((a, b) => b.at.localeCompare(a.at))
