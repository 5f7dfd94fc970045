import { useEffect, useEffectEvent, useState, type SyntheticEvent } from 'react'
import type { Project } from '../../../server/contract'
import { readExtension } from '../../../server/contract/files/formats'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useHost } from '../../lib/host/host'
import { useManagesHost } from '../../lib/session/use-manages-host'
import type { PublishRequest } from '../uploads/drop/drop-place'
import { useNewestReleases } from '../uploads/form/prepare-release'
import { isTransferring } from '../uploads/upload'
import { usePublish, type Decision, type PublishValues } from './publish-decision'
import { findTarget, suggestValues } from './sheet-target'
import { usePackage } from './use-package'
import type { useSheetFiles } from './use-sheet-files'

export type PublishForm = ReturnType<typeof usePublishForm>
type Sheet = ReturnType<typeof useSheetFiles>

/**
 * The form of the sheet. Its fields follow what the host reads in the package, until the person
 * edits them.
 */
export function usePublishForm(
  { place }: PublishRequest,
  sheet: Sheet,
  onDecided: (decision: Decision) => void,
) {
  const { data, isPending } = useMyProjects()
  const projects = data?.filter(({ can }) => can.includes('link')) ?? []

  const app = usePackage(sheet.accepted)
  const reach = useReach()
  const publish = usePublish(sheet)
  const form = useApiForm({
    saved: suggestValues({ place, sheet, projects, app }),
    findMistakes: ({ target, title }) =>
      target === 'new' && title.trim() === '' ? { title: 'Give the project a title' } : {},
    send: async (values) => {
      const shares = values.shares && reach.canShare
      const chosen = findTarget(values.target, projects)

      onDecided(
        await publish({
          values,
          audience,
          shares,
          project: chosen,
          packageVersion: app.version ?? '',
        }),
      )
    },
    failed: 'It could not be published',
  })

  const project = projects.find(({ project_id }) => project_id === form.values.target)
  const audience = useAudience(form.values, project, app.version)

  const { target } = form.values
  const isReading = useReading(sheet, { app, project, audience })
  // Whether the file may become public depends on its project.
  const awaitsProject = isPending && target !== 'new'
  const isWaiting = target !== 'none' && (isReading || awaitsProject)
  const { isAsked, submit } = useEarlySubmit(form.submit, isWaiting)

  return { form: { ...form, submit }, isAsked, app, projects, project, audience, reach }
}

/** How long the sheet waits for what the packages say, in ms. */
const MOST_READING_MS = 3000

/**
 * Whether to wait for the packages, and for the project that has them: a project published before
 * that would have the name of a file.
 */
function useReading(
  { accepted, isPaidByOther }: Sheet,
  { app, project, audience }: Pick<PublishForm, 'app' | 'project' | 'audience'>,
): boolean {
  const sent = isPaidByOther ? [] : accepted
  const isSending = sent.some(
    ({ file, upload, keptBytes }) =>
      readExtension(file.name) !== undefined &&
      (upload
        ? !upload.stored && (upload.state === 'waiting' || isTransferring(upload))
        : keptBytes === undefined),
  )
  const isLoading = project !== undefined && audience.releases === undefined
  const isReading = isSending || app.isReading || isLoading
  const [isOver, setOver] = useState(false)

  useEffect(() => {
    if (!isReading) return
    const timer = setTimeout(() => setOver(true), MOST_READING_MS)
    return () => clearTimeout(timer)
  }, [isReading])

  return isReading && !isOver
}

/** Fields show what has arrived a render later, and what they then load is awaited, too. In ms. */
const SETTLING_MS = 50

/**
 * Lets a person submit a form before everything that it suggests is there: it is sent as soon as
 * nothing is awaited. A button that is disabled meanwhile loses a click that it changes under.
 */
function useEarlySubmit(submit: (event?: SyntheticEvent) => void, isWaiting: boolean) {
  const [isAsked, setAsked] = useState(false)

  const send = useEffectEvent(() => {
    setAsked(false)
    submit()
  })
  useEffect(() => {
    if (!isAsked || isWaiting) return
    const timer = setTimeout(() => send(), SETTLING_MS)
    return () => clearTimeout(timer)
  }, [isAsked, isWaiting])

  return {
    isAsked,
    submit: (event?: SyntheticEvent) => {
      event?.preventDefault()
      if (isWaiting) setAsked(true)
      else submit()
    },
  }
}

/** Visibility of the upload, and the releases of its project. */
function useAudience(
  values: PublishValues,
  project: Project | undefined,
  packageVersion: string | undefined,
) {
  const releases = useNewestReleases(project?.project_id)
  const joined = values.version.trim() || packageVersion
  const state = releases?.find(({ version }) => version === joined)?.state ?? 'published'
  // A draft stays one, unless the person says otherwise.
  const usual = project ? project.is_public && state === 'published' : values.target === 'new'
  /** A maintainer cannot open a project to everyone. */
  const isFixed = project !== undefined && !project.is_public && !project.can.includes('update')
  return { releases, isFixed, isPublic: !isFixed && (values.isPublic ?? usual) }
}

/** Whether only this computer can open links, and whether this person can change that. */
function useReach(): { isAlone: boolean; canShare: boolean } {
  const { reachable, version } = useHost()
  // An empty version: the host is not known yet.
  const isAlone = version !== '' && !reachable
  return { isAlone, canShare: useManagesHost() === true && isAlone }
}
