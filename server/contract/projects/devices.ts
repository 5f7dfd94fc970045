import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, projectId, testerToken } from '../fields'

const linkErrors = ['bad_credentials', 'too_many_requests', 'busy'] as const

/** iPhones and iPads of testers, whose identifiers a build of theirs needs. */
export const devices = {
  profile: endpoint('GET', '/t/:token/device.mobileconfig', {
    summary:
      'A profile by which an iPhone or iPad sends its identifier and model once; it installs ' +
      'nothing and works for 30 minutes',
    access: 'anyone',
    input: z.object({ token: testerToken }),
    download: true,
    errors: ['not_found', ...linkErrors, 'not_supported'],
  }),
  add: endpoint('POST', '/t/:token/device', {
    summary:
      "Send a device's answer to the profile: a property list that the device signed (CMS). " +
      'Redirects to the page of the link',
    access: 'anyone',
    body: 'bytes',
    input: z.object({ token: testerToken }),
    status: 301,
    errors: ['not_found', 'too_large', 'too_many_records', 'read_only'],
  }),
  list: endpoint('GET', '/api/projects/:id/devices.txt', {
    summary:
      "The identifiers of testers' devices as Apple's developer site and fastlane read them, for " +
      'the owner and collaborators',
    access: 'user',
    boundKeys: true,
    input: z.object({
      id: projectId,
      unconfirmed: describe(
        z.stringbool('Use true or false').default(false),
        "Whether to list devices, too, whose answer Apple's authority did not sign: anybody with " +
          'a link can make one up, and Apple counts it for a year',
        'true',
      ),
    }),
    download: true,
    errors: ['not_found', 'forbidden', 'precondition_failed', 'range_not_satisfiable'],
  }),
}
