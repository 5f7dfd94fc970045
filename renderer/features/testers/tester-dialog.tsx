import { Modal } from '@mantine/core'
import type { Project, TesterLink } from '../../../server/contract'
import { useHost, useShareUrl } from '../../lib/host/host'
import { messages } from '../../lib/texts/messages'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import { ShownOnce } from '../../ui/dialog/shown-once'
import { TesterForm } from './tester-form'

/** The form for a saved or a new link, or the path of the new link. */
export interface DialogContent {
  saved?: TesterLink
  path?: string
}

interface TesterDialogProps {
  project: Project
  isOpen: boolean
  shown: DialogContent
  onCreated: (path: string) => void
  onClose: () => void
}

export function TesterDialog({ project, isOpen, shown: { saved, path }, onCreated, onClose }: TesterDialogProps) {
  const isNew = path !== undefined
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={isNew ? 'Your new tester link' : saved ? 'Change tester link' : 'Create tester link'}
      // A stray click must not dismiss a link that is shown only once.
      closeOnClickOutside={!isNew}
      closeOnEscape={!isNew}
      withCloseButton={!isNew}
    >
      {isNew ? (
        <NewLink path={path} slug={project.slug} onDone={onClose} />
      ) : (
        <TesterForm projectId={project.project_id} saved={saved} onCreated={onCreated} onClose={onClose} />
      )}
    </Modal>
  )
}

function NewLink({ path, slug, onDone }: { path: string; slug: string; onDone: () => void }) {
  const { reachable, version } = useHost()
  const link = useShareUrl()(path)
  const isAlone = version !== '' && !reachable
  return (
    <ShownOnce
      value={link}
      label="Tester link"
      copyLabel="Copy link"
      title="Copy this link now"
      text="It is shown only once, because the host stores only a fingerprint of it."
      actions={
        <ShowQrCode value={link} name={`${slug}-testers`} warning={isAlone ? messages.host.unreachable : undefined} />
      }
      onDone={onDone}
    />
  )
}
