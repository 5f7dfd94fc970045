import type { InstallObstacle } from '../install-view'

/** What people read where they would download a damaged file. */
export const damagedFile = (owner: string): Pick<InstallObstacle, 'title' | 'text'> => ({
  title: 'This file is damaged',
  text:
    'Its bytes on this host have changed since the upload, so it is not sent. ' +
    `Ask ${owner} to upload it again.`,
})

/** What its owner reads. */
export const DAMAGED_OWN =
  'The bytes of this file on disk are damaged, so downloads of it are refused. Upload it again: ' +
  'the host then mends this one.'

/** What people read where they would download files with a damaged one as a zip. */
export const NO_ZIP = 'One of the files is damaged, so there is no zip of all of them now.'
