import { BrowserWindow } from 'electron'
import type { RunningServer } from '../../server'
import { gatherNews, notify } from './notify'

const LOOK_EVERY_MS = 5000

const TROUBLES = {
  full:
    'The disk is full. Downloads continue, but changes are not possible until you free some ' +
    'space.',
  database_full:
    'The disk of PostgreSQL is full. Downloads continue, but changes are not possible until you ' +
    'free some space there.',
  failing:
    'The disk is failing. Downloads continue, but changes are not possible until you ' +
    'restart Slipway.',
  missing:
    'The disk with your data is not connected. Connect it, and Slipway resumes automatically.',
  no_primary: 'No host of the cluster makes changes. Downloads continue.',
}

export function showNotices(server: RunningServer, open: () => void): void {
  const { settings, transfers } = server
  const downloads = gatherNews<string>((names) => {
    const [name = 'A file'] = names
    const title =
      names.length === 1 ? `${name} was downloaded` : `${names.length} downloads finished`
    notify(title, names.join(', '), open)
  })

  transfers.onChange((ended) => {
    const isNews = ended?.direction === 'download' && ended.outcome === 'done'
    // A person at the window sees the download there.
    if (!isNews || !settings.get().notify_downloads || BrowserWindow.getFocusedWindow() !== null)
      return
    downloads(ended.filename ?? 'A file')
  })
  announceBuilds(server, open)

  let couldSave = true
  setInterval(() => {
    const trouble = server.trouble()
    if (couldSave && trouble !== null && settings.get().notify_failures) {
      notify('Slipway cannot save changes', TROUBLES[trouble], open)
    }
    couldSave = trouble === null
  }, LOOK_EVERY_MS).unref()
}

function announceBuilds(server: RunningServer, open: () => void): void {
  const announce = (done: string, text?: string) =>
    gatherNews<Build>((builds) => {
      const names = builds.map(({ filename }) => filename)
      const [name = 'A build'] = names
      const title =
        names.length === 1 ? `${name} was ${done}` : `${names.length} builds were ${done}`
      notify(title, warningsText(builds) ?? text ?? names.join(', '), open)
    })

  const published = announce('published')
  const announcePrivate = announce('added', 'Private until you make it public on its project page.')
  const failed = announce('not published', 'The project page shows the reason.')
  server.onBuild((build) => {
    const { notify_builds: notifyBuilds, notify_failures: notifyFailures } = server.settings.get()
    if (build.error !== null) {
      if (notifyFailures) failed(build)
    } else if (notifyBuilds && BrowserWindow.getFocusedWindow() === null)
      (build.isPublic ? published : announcePrivate)(build)
  })
}

interface Build {
  filename: string
  warnings: readonly { message: string }[]
}

/** Undefined if there are none. */
function warningsText(builds: readonly Build[]): string | undefined {
  const warnings = builds.flatMap((build) => build.warnings)
  if (warnings.length === 0) return undefined
  return builds.length === 1
    ? warnings.map(({ message }) => message).join(' ')
    : 'Some have warnings. The project page shows them.'
}
