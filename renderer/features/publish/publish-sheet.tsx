import { Modal } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Project } from '../../../server/contract'
import { isCovered } from '../../ui/dialog/is-covered'
import { rememberControl } from '../../ui/dialog/return-focus'
import { useIsPhone } from '../../ui/table/use-is-phone'
import type { SharedFile } from '../share-links/share-place'
import { closeRequest, type PublishRequest } from '../uploads/drop/drop-place'
import { PublishFields } from './publish-fields'
import { useUploads } from '../uploads/queue/use-uploads'
import { hasWarnings, type Upload, type UploadSource } from '../uploads/upload'
import { Published, Publishing } from './publish-result'
import classes from './publish.module.css'
import type { Decision } from './publish-decision'
import { usePublishForm } from './use-publish-form'
import { useSheetFiles } from './use-sheet-files'
import { useTakeBack } from './use-take-back'

/**
 * One sheet from a file to a link, for all files that are dropped, chosen or opened with the app.
 */
export function PublishSheet({ request }: { request: PublishRequest }) {
  const [decision, setDecision] = useState<Decision>()
  const [returnFocus] = useState(rememberControl)
  useEffect(() => returnFocus, [returnFocus])
  if (!decision) return <Deciding request={request} onDecided={setDecision} />
  return <Decided files={request.files} decision={decision} />
}

interface DecidingProps {
  request: PublishRequest
  onDecided: (decision: Decision) => void
}

function Deciding({ request, onDecided }: DecidingProps) {
  const sheet = useSheetFiles(request)
  const publishing = usePublishForm(request, sheet, (decision) =>
    // The list of the page shows a file without a project.
    decision.project ? onDecided(decision) : closeRequest(),
  )
  const { cancel, leaveOut } = useTakeBack()

  const { files, accepted } = sheet
  const [only] = accepted.length === 1 ? accepted : []
  const count = accepted.length < files.length ? `${accepted.length} of ` : ''
  const name = publishing.app.name ?? only?.file.name
  const { project } = publishing
  const { target, version } = publishing.form.values
  const shownName = project ? version.trim() || publishing.app.version || name : name
  const what = only && shownName ? shownName : `${count}${files.length} files`
  const isUpload = target === 'none'

  return (
    <SheetFrame
      title={`${isUpload ? 'Upload' : 'Publish'} ${what}${project ? ` in ${nameOf(project)}` : ''}`}
      onClose={() => cancel(files)}
    >
      <PublishFields
        files={files}
        publishing={publishing}
        place={request.place}
        submit={publishing.isAsked ? 'Reading …' : isUpload ? 'Upload' : 'Publish'}
        canSubmit={accepted.length > 0}
        onLeaveOut={leaveOut}
        onCancel={() => cancel(files)}
      />
    </SheetFrame>
  )
}

/** 'Rocket', and whose it is. */
const nameOf = ({ title, role, owner }: Project) =>
  role === 'owner' ? title : `${title} (${owner})`

/** Upload progress, then the link. */
function Decided({ files, decision }: { files: readonly UploadSource[]; decision: Decision }) {
  const { uploads, queue } = useUploads()

  const own = uploads.filter(({ file }) => files.includes(file))
  const left = own.filter(({ state, retired }) => state !== 'done' && !retired)
  const warned = own.filter(hasWarnings)
  useDismissal(left, files.length)
  const published = useStored(own)

  const title = decision.project?.title ?? ''
  if (left.length > 0) {
    return (
      <SheetFrame title={`Publishing ${title}`} onClose={closeRequest} isNext>
        <Publishing uploads={left} queue={queue} onClose={closeRequest} />
      </SheetFrame>
    )
  }

  const close = () => {
    for (const { id } of warned) queue.remove(id)
    closeRequest()
  }

  return (
    <SheetFrame
      key="published"
      title={
        `${[title, decision.version].filter(Boolean).join(' ')} is ` +
        (decision.isDraft ? 'saved as a draft' : 'published')
      }
      onClose={close}
      isNext
    >
      <Published decision={decision} files={published} warned={warned} onClose={close} />
    </SheetFrame>
  )
}

/** The stored files of uploads, also after their rows have left the queue. */
function useStored(uploads: readonly Upload[]): readonly SharedFile[] {
  const [known, setKnown] = useState<readonly SharedFile[]>([])
  const stored = uploads.flatMap(({ state, stored: it, file }) =>
    state === 'done' && it ? [{ file_id: it.file_id, filename: file.name }] : [],
  )
  if (stored.length > known.length) setKnown(stored)
  return known
}

/** Closes the sheet once the person has dismissed every upload, because each of them failed. */
function useDismissal(left: readonly Upload[], count: number): void {
  const before = useRef(left)
  useEffect(() => {
    const hasFailed =
      before.current.length === count && before.current.every(({ error }) => error !== undefined)
    if (left.length === 0 && hasFailed) closeRequest()
    before.current = left
  })
}

interface SheetFrameProps {
  title: string
  onClose: () => void
  /** It follows another state of the sheet, so it does not open again. */
  isNext?: boolean
  children: ReactNode
}

function SheetFrame({ title, onClose, isNext = false, children }: SheetFrameProps) {
  const isPhone = useIsPhone()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Modal
      opened
      onClose={() => isCovered(content.current) || onClose()}
      title={<bdi>{title}</bdi>}
      size="lg"
      fullScreen={isPhone}
      closeOnClickOutside={false}
      returnFocus={false}
      {...(isNext && { transitionProps: { duration: 0 } })}
      classNames={{ title: classes.title }}
    >
      <div ref={content}>{children}</div>
    </Modal>
  )
}
