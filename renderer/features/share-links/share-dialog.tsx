import type { ShareLink } from '../../../server/contract'
import { formatQuantity } from '../../lib/texts/format'
import { LinkRow } from '../access-links/link-row'
import { LinksDialog } from '../access-links/links-dialog'
import { ShareForm } from './share-form'
import { closeShareLinks, type useShareRequest } from './share-place'
import { useShareLinkActions, useShareLinks } from './use-share-links'

/** The share links of a file, and the form for another one. */
export function ShareDialog({ file, isOpen }: NonNullable<ReturnType<typeof useShareRequest>>) {
  const { renew, end } = useShareLinkActions(file.file_id)

  return (
    <LinksDialog
      title={
        <>
          Share <bdi>{file.filename}</bdi>
        </>
      }
      isOpen={isOpen}
      query={useShareLinks(file.file_id)}
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
      onClose={closeShareLinks}
    />
  )
}

const countText = ({ downloads, most_downloads }: ShareLink) =>
  most_downloads === null
    ? formatQuantity(downloads, 'download')
    : `${downloads} of ${formatQuantity(most_downloads, 'download')}`
