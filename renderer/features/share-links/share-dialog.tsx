import { Modal, Skeleton } from '@mantine/core'
import { useRef } from 'react'
import type { ShareLink } from '../../../server/contract'
import { formatQuantity } from '../../lib/texts/format'
import { isCovered } from '../../ui/dialog/is-covered'
import { Loaded } from '../../ui/feedback/loaded'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { LinkRow } from './link-row'
import { LinksPanel } from './links-panel'
import { ShareForm } from './share-form'
import { closeShareLinks, type SharedFile, type useShareRequest } from './share-place'
import { useShareLinkActions, useShareLinks } from './use-share-links'

/** The share links of a file, and the form for another one. */
export function ShareDialog({ file, isOpen }: NonNullable<ReturnType<typeof useShareRequest>>) {
  const isPhone = useIsPhone()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Modal
      opened={isOpen}
      onClose={() => isCovered(content.current) || closeShareLinks()}
      title={
        <>
          Share <bdi>{file.filename}</bdi>
        </>
      }
      size="lg"
      fullScreen={isPhone}
      returnFocus={false}
    >
      <div ref={content}>
        <Links file={file} />
      </div>
    </Modal>
  )
}

function Links({ file }: { file: SharedFile }) {
  return (
    <Loaded
      query={useShareLinks(file.file_id)}
      title="The share links could not be loaded"
      skeleton={<Skeleton h={120} role="status" aria-label="Loading" />}
    >
      {(links) => <LoadedLinks file={file} links={links} />}
    </Loaded>
  )
}

function LoadedLinks({ file, links }: { file: SharedFile; links: readonly ShareLink[] }) {
  const { renew, end } = useShareLinkActions(file.file_id)

  return (
    <LinksPanel
      links={links}
      label="Share links"
      intro={
        'Anyone with the link can download this file until the link ends, without an account. ' +
        'The file itself stays as it is.'
      }
      row={(link, onChange) => (
        <LinkRow
          key={link.share_id}
          link={link}
          filename={file.filename}
          use={countText(link)}
          onChange={onChange}
          onRenew={() => renew(link)}
          onEnd={() => end(link)}
        />
      )}
      form={(parts) => (
        <ShareForm key={parts.saved?.share_id ?? 'new'} fileId={file.file_id} {...parts} />
      )}
      onDone={closeShareLinks}
    />
  )
}

const countText = ({ downloads, most_downloads }: ShareLink) =>
  most_downloads === null
    ? formatQuantity(downloads, 'download')
    : `${downloads} of ${formatQuantity(most_downloads, 'download')}`
