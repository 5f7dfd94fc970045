import { Modal, Skeleton } from '@mantine/core'
import { useRef } from 'react'
import type { FileRequest } from '../../../server/contract'
import { formatQuantity, formatSize } from '../../lib/texts/format'
import { isCovered } from '../../ui/dialog/is-covered'
import { Loaded } from '../../ui/feedback/loaded'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { LinkRow } from '../share-links/link-row'
import { LinksPanel } from '../share-links/links-panel'
import { RequestForm } from './request-form'
import { useFileRequestActions, useFileRequests } from './use-file-requests'

interface RequestDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** The file requests of the person, and the form for another one. */
export function RequestDialog({ isOpen, onClose }: RequestDialogProps) {
  const isPhone = useIsPhone()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Modal
      opened={isOpen}
      onClose={() => isCovered(content.current) || onClose()}
      title="Request files"
      size="lg"
      fullScreen={isPhone}
      returnFocus={false}
    >
      <div ref={content}>
        <Loaded
          query={useFileRequests()}
          title="The links could not be loaded"
          skeleton={<Skeleton h={120} role="status" aria-label="Loading" />}
        >
          {({ file_requests }) => <Requests requests={file_requests} onDone={onClose} />}
        </Loaded>
      </div>
    </Modal>
  )
}

interface RequestsProps {
  requests: readonly FileRequest[]
  onDone: () => void
}

function Requests({ requests, onDone }: RequestsProps) {
  const { renew, end } = useFileRequestActions()

  return (
    <LinksPanel
      links={requests}
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
      onDone={onDone}
    />
  )
}

const countText = ({ files, most_files, bytes }: FileRequest) =>
  `${files} of ${formatQuantity(most_files, 'file')}` + (bytes > 0 ? `, ${formatSize(bytes)}` : '')
