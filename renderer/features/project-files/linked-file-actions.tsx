import { IconDownload, IconInfoCircle, IconLinkOff, IconShare2 } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { downloadUrl } from '../../paths'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { RowAction, RowActions, RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { openShareLinks } from '../share-links/share-place'
import type { LinkedFileActionsProps } from './linked-file-menu'

const LinkedFileMenu = lazyPage(() => import('./linked-file-menu'), 'LinkedFileMenu')

export function LinkedFileActions(props: LinkedFileActionsProps) {
  const { project, file } = props
  const isPhone = useIsPhone()
  if (!isPhone) return <ActionButtons {...props} />
  return (
    <LateMenu button={<MenuButton label={`Actions for ${file.filename}`} size="xl" />}>
      {(start) => <LinkedFileMenu {...props} {...start} href={buildHref(project, file)} />}
    </LateMenu>
  )
}

function ActionButtons({ project, file, onDetails, onRemove }: LinkedFileActionsProps) {
  return (
    <RowActions>
      <RowAction icon={IconInfoCircle} verb="Details" what={file.filename} onClick={onDetails} />
      <RowDownload
        icon={IconDownload}
        verb="Download"
        what={file.filename}
        href={buildHref(project, file)}
      />
      {file.can.includes('share') && (
        <RowAction
          icon={IconShare2}
          verb="Share link of"
          what={file.filename}
          onClick={() => openShareLinks(file)}
        />
      )}
      {file.can.includes('unlink') && (
        <RowAction
          icon={IconLinkOff}
          verb="Remove from project"
          what={file.filename}
          onClick={onRemove}
        />
      )}
    </RowActions>
  )
}

const buildHref = ({ project_id }: Project, { file_id }: LinkedFile) =>
  downloadUrl.project(project_id, file_id)
