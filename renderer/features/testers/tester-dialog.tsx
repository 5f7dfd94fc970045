import { Modal } from '@mantine/core'
import type { Project, TesterLink } from '../../../server/contract'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
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

export function TesterDialog({
  project,
  isOpen,
  shown: { saved, path },
  onCreated,
  onClose,
}: TesterDialogProps) {
  const isNew = path !== undefined

  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      title={isNew ? 'Your new tester link' : saved ? 'Change tester link' : 'Create tester link'}
      // A stray click must not dismiss a link that is shown only once.
      closeOnClickOutside={!isNew}
      closeOnEscape={!isNew}
      withCloseButton={!isNew}
    >
      {isNew ? (
        <NewLink path={path} slug={project.slug} onDone={onClose} />
      ) : (
        <TesterForm project={project} saved={saved} onCreated={onCreated} onClose={onClose} />
      )}
    </Modal>
  )
}

function NewLink({ path, slug, onDone }: { path: string; slug: string; onDone: () => void }) {
  const link = useShareUrl()(path)

  return (
    <ShownOnce
      value={link}
      label="Tester link"
      what="link"
      notice={<OnlyThisComputer />}
      actions={<ShowQrCode value={link} name={`${slug}-testers`} notice={<OnlyThisComputer />} />}
      onDone={onDone}
    />
  )
}
