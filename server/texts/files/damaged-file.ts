import type { InstallObstacle } from '../install-view'

/** What people read where they would download a damaged file. */
export const damagedFile = (owner: string): Pick<InstallObstacle, 'title' | 'text'> => ({
  title: 'This file is damaged',
  text:
    'This file changed on disk after the upload, so it cannot be downloaded. ' +
    `Ask ${owner} to upload it again.`,
})

/** What its owner reads. */
export const DAMAGED_OWN =
  'This file is damaged on disk, so the host refuses its downloads. Upload it again to repair it.'

/** What people read where they would download files with a damaged one as a zip. */
export const NO_ZIP = 'One file is damaged, so you cannot download all files as a ZIP now.'
