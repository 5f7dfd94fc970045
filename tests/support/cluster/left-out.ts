/** Why a test means one host alone: `npm run test:full -- three-hosts` leaves it out. */
const reasons = {
  window:
    'a cluster has no app window, watches no folders of its computer, and a link to manage it ends after 12 hours',
  process:
    'it disturbs, measures or fills one process: its disk, its failures, its memory, its own metrics',
  perHost: 'each host counts these limits for itself (docs/deploy.md)',
  primary: 'the Host page shows, and cuts, the transfers of the primary alone (docs/deploy.md)',
  late: 'a running download at a replica ends within two seconds, not at once (docs/deploy.md)',
  idle: 'the primary makes block maps while nothing is transferred at it; transfers of other hosts take nothing from it',
  fresh:
    'it expects a count of two seconds ago; to replicas a count is a change like others, so that they show the new one',
  library: 'it opens, copies, damages or moves the data folder as one that has its library',
  address:
    'it moves the host to another address, or asks it at its own, and here HAProxy has the address',
  tls: 'HAProxy ends TLS in front of a cluster',
  internet:
    'people come to a cluster through HAProxy, and replicas know no other way from the internet (docs/deploy.md)',
  wire: 'it reads or writes the connection byte by byte, and HAProxy has words, connections and pauses of its own',
  order: 'it relies on the order in which requests that are sent at once arrive',
} as const

/** Files below tests, and words in the titles of their tests; none: the whole file. */
const leftOut: readonly [reason: keyof typeof reasons, file: string, titles?: readonly string[]][] =
  [
    [
      'window',
      'api/accounts/register',
      ['registered in the app window', 'loopback address', 'made in the window'],
    ],
    ['window', 'api/accounts/manage-sessions', ['is listed, and can be ended']],
    ['window', 'api/accounts/invites', ['ends a link']],
    [
      'window',
      'security/requests/13-bad-input',
      ['every call of localFiles', 'every call of watches'],
    ],
    ['window', 'security/requests/13-documented-errors', ['localFiles.', 'watches.']],
    ['window', 'api/downloads/transfer-limits', ['concurrent downloads per address']],
    ['window', 'api/files/local-files'],
    ['window', 'api/files/offered-files'],
    ['window', 'api/files/package-version', ['however it was uploaded']],
    ['window', 'api/files/unseen-characters', ['watched folder']],
    ['window', 'api/host/audit', ['audit.list', 'skips damaged lines', 'a failing disk']],
    ['window', 'api/host/backups', ['makes one every day']],
    ['window', 'api/watches/'],
    ['window', 'security/access/10-permissions', ['watches, where things are public']],
    ['process', 'api/accounts/sessions', ['nowhere to be found']],
    ['process', 'api/calls/pipeline', ['an internal error', 'opens an address gets errors']],
    ['process', 'api/host/health', ['only saving fails']],
    ['process', 'api/host/metrics'],
    ['perHost', 'security/requests/13-documented-errors', ['as many transfers as it may']],
    [
      'perHost',
      'api/downloads/heavy-replies',
      ['two heavy replies', 'one request at a time', '600 pages', 'too many'],
    ],
    ['perHost', 'api/downloads/transfer-limits', ['limits that the host sets']],
    ['perHost', 'api/downloads/zip-limits', ['share the transfers of an address']],
    [
      'perHost',
      'api/network/limits-by-network',
      ['API requests', 'wrong API keys', 'transfers at once', 'an IPv4 address'],
    ],
    ['perHost', 'api/projects/app-reports', ['strangers with the key of an app']],
    [
      'perHost',
      'api/network/rate-limits',
      ['count apart', 'count for a', 'count too', 'count together, five', 'how many are left'],
    ],
    ['perHost', 'api/network/trust-proxy', ['has limits of its own']],
    [
      'primary',
      'api/host/activity',
      ['who downloads what', 'parts as one', 'ends a transfer', 'then every change'],
    ],
    ['late', 'api/downloads/transfers-cut', ['deleted while it is sent', 'becomes private']],
    ['late', 'api/downloads/zip.test', ['ends zips that have it']],
    ['late', 'security/access/31-tester-downloads', ['ends when the link does']],
    ['idle', 'api/feeds/block-maps', ['waits while transfers run']],
    ['fresh', 'api/calls/shared-replies', ['two seconds', 'for people without an account']],
    ['library', 'security/requests/13-documented-errors', ['dataFolder.move answers in_progress']],
    ['library', 'api/host/data-folder', ['dataFolder.', 'simultaneous moves']],
    ['library', 'api/host/maintenance'],
    ['address', 'api/host/host.test', ['to a caller on localhost']],
    ['address', 'api/host/lifecycle', ['and no longer here']],
    ['address', 'api/host/settings', ['another port applies', 'sharing opens', 'chosen addresses']],
    [
      'address',
      'api/network/host-addresses',
      ['what answers', 'every address', 'is news', 'another device'],
    ],
    ['tls', 'programs/feeds/apt', ['over HTTPS']],
    ['tls', 'programs/network/https-authority', ['replaces an earlier authority']],
    ['tls', 'api/network/https-public', ['the mode public']],
    ['tls', 'api/network/https-settings', ['applies at once', 'accepts a custom certificate']],
    ['tls', 'api/network/https.test', ['is renewed', 'is replaced', 'to the same address']],
    ['tls', 'programs/network/https.test'],
    [
      'internet',
      'api/internet/internet',
      ['the audit log tells', 'use the public address', 'the event stream has'],
    ],
    ['wire', 'api/downloads/many-ranges', ['headers above 16 KiB']],
    ['wire', 'api/downloads/transfers-counting', ['rests until the host hangs up']],
    ['wire', 'api/uploads/tus-interrupted', ['fallen silent', 'discarding ends']],
    ['wire', 'security/access/09-unauthenticated-upload'],
    ['wire', 'security/access/31-tester-downloads', ['is reset, so that']],
    ['wire', 'security/requests/06-host-check', ['another name is refused everywhere']],
    ['wire', 'security/requests/13-malformed', ['malformed requests']],
    ['order', 'api/releases/maintainers', ['move a release at once']],
  ]

/**
 * Why the test is not for three hosts; undefined: it is. `file`: its path; `title`: of the test,
 * with its groups.
 */
export function whyLeftOut(file: string, title: string): string | undefined {
  const found = leftOut.find(
    ([, path, titles]) =>
      file.includes(`tests/${path}`) &&
      (titles === undefined || titles.some((words) => title.includes(words))),
  )
  return found && reasons[found[0]]
}
