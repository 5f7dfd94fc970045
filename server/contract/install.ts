import { z } from 'zod'
import { downloadErrors, endpoint } from './endpoint'
import { id, idOrSlug } from './fields'

/** Until when, and a signature by the host over project and file. */
const ticket = z.string().regex(/^[0-9a-z]{1,10}~[A-Za-z0-9_-]{43}$/, 'That is not the ticket of an install address')

const signed = z.object({ id: idOrSlug, file_id: id, ticket })

const ofInstaller = {
  method: 'GET',
  access: 'anyone',
  boundKeys: true,
  input: signed,
  reply: z.object({}),
  download: true,
} as const

/**
 * What iOS fetches when a person installs an app from the install page. Its installer sends no cookies and follows no
 * redirects, so the page signs the addresses, for 30 minutes.
 */
export const install = {
  manifest: endpoint({
    ...ofInstaller,
    path: '/p/:id/install/:file_id/:ticket/manifest.plist',
    summary: 'The manifest of an iOS app for `itms-services`, at an address from the install page',
    errors: ['not_found'],
  }),
  icon: endpoint({
    ...ofInstaller,
    path: '/p/:id/install/:file_id/:ticket/icon.png',
    summary: 'The picture of an iOS app that its manifest names',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
  app: endpoint({
    ...ofInstaller,
    path: '/p/:id/install/:file_id/:ticket/app.ipa',
    summary: 'The iOS app that its manifest names',
    errors: downloadErrors,
  }),
}
