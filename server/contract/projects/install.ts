import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { describe, fileId, projectId, shareToken, testerToken } from '../fields'

/** Until when, and a signature by the host over project and file. */
const ticket = describe(
  z
    .string()
    .regex(/^[0-9a-z]{1,10}~[A-Za-z0-9_-]{43}$/, 'That is not the ticket of an install address'),
  'Until when the address is valid, and the signature of the host',
  'tj8w2k~q7Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0Hv',
)

const signed = z.object({ id: projectId, file_id: fileId, ticket })

/** Access through a tester link. The ticket replaces the password of the link. */
const signedForTesters = z.object({ token: testerToken, file_id: fileId, ticket })

/** Access through a share link, likewise. */
const signedForRecipients = z.object({ shareToken, file_id: fileId, ticket })

const common = { access: 'anyone', download: true } as const
const ofInstaller = { ...common, boundKeys: true, input: signed } as const
const ofRecipients = { ...common, input: signedForRecipients } as const
const ofTesters = { ...common, input: signedForTesters } as const

/**
 * The files that iOS fetches to install an app from the install page. Its installer sends no
 * cookies and follows no redirects, so the page signs the addresses, for 30 minutes.
 */
export const install = {
  manifest: endpoint('GET', '/p/:id/install/:file_id/:ticket/manifest.plist', {
    ...ofInstaller,
    summary: 'The manifest of an iOS app for `itms-services`, at an address from the install page',
    errors: ['not_found'],
  }),
  icon: endpoint('GET', '/p/:id/install/:file_id/:ticket/icon.png', {
    ...ofInstaller,
    summary: 'The picture of an iOS app that its manifest names',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
  app: endpoint('GET', '/p/:id/install/:file_id/:ticket/app.ipa', {
    ...ofInstaller,
    summary: 'The iOS app that its manifest names',
    errors: downloadErrors,
  }),
  manifestForTesters: endpoint('GET', '/t/:token/install/:file_id/:ticket/manifest.plist', {
    ...ofTesters,
    summary: 'The manifest of an iOS app for `itms-services`; for testers',
    errors: ['not_found'],
  }),
  iconForTesters: endpoint('GET', '/t/:token/install/:file_id/:ticket/icon.png', {
    ...ofTesters,
    summary: 'The picture of an iOS app that its manifest names; for testers',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
  appForTesters: endpoint('GET', '/t/:token/install/:file_id/:ticket/app.ipa', {
    ...ofTesters,
    summary: 'The iOS app that its manifest names; for testers',
    errors: downloadErrors,
  }),
  manifestForRecipients: endpoint('GET', '/s/:shareToken/install/:file_id/:ticket/manifest.plist', {
    ...ofRecipients,
    summary: 'The manifest of an iOS app for `itms-services`; for recipients of a share link',
    errors: ['not_found'],
  }),
  iconForRecipients: endpoint('GET', '/s/:shareToken/install/:file_id/:ticket/icon.png', {
    ...ofRecipients,
    summary: 'The picture of an iOS app that its manifest names; for recipients of a share link',
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
  appForRecipients: endpoint('GET', '/s/:shareToken/install/:file_id/:ticket/app.ipa', {
    ...ofRecipients,
    summary: 'The iOS app that its manifest names; for recipients of a share link',
    errors: downloadErrors,
  }),
}
