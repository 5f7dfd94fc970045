import type { FileRequest } from '../../../server/contract'
import { formatQuantity, formatSize } from '../../lib/texts/format'
import { LinkRow } from '../access-links/link-row'
import { LinksDialog } from '../access-links/links-dialog'
import { RequestForm } from './request-form'
import { useFileRequests } from './use-file-requests'
import { useFileRequestActions } from './use-request-actions'

interface RequestDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** The file requests of the person, and the form for another one. */
export function RequestDialog({ isOpen, onClose }: RequestDialogProps) {
  const { data, ...query } = useFileRequests()
  const { renew, end } = useFileRequestActions()

  return (
    <LinksDialog
      title="Request files"
      isOpen={isOpen}
      query={{ ...query, data: data?.file_requests }}
      label="File requests"
      intro={
        'Anyone with the link can send you files until it ends, without an account. The files ' +
        'come to My Files, where only you see them.'
      }
      row={(request, onChange) => (
        <LinkRow
          key={request.request_id}
          link={request}
          filename={request.name}
          use={countText(request)}
          onChange={onChange}
          onRenew={() => renew(request)}
          onEnd={() => end(request)}
        />
      )}
      form={(parts) => <RequestForm key={parts.saved?.request_id ?? 'new'} {...parts} />}
      onClose={onClose}
    />
  )
}

const countText = ({ files, most_files, bytes }: FileRequest) =>
  `${files} of ${formatQuantity(most_files, 'file')}` + (bytes > 0 ? `, ${formatSize(bytes)}` : '')
