/** Why tests of the API mean one host alone: `npm run test:full -- three-hosts` leaves them out. */
const reasons = {
  window: 'a cluster has no app window, and watches no folders of its computer',
  process: 'it looks at, or disturbs, what one process has in memory: its transfers, limits, disk or failures',
  folder: 'it opens, copies, moves or restores the library in its data folder, which a cluster has in PostgreSQL',
  address: 'it moves the host to another address, or starts it again, which is another balancer here',
  late: 'a setting counts at readers, and what they noticed at the writer, within a second, not at once',
  log: 'each host writes its own part of it',
  wire: 'it writes the connection byte by byte, and HAProxy answers in its own words',
  order: 'it relies on the order in which requests that are sent at once arrive',
} as const

/** Files below tests/api, and words in the titles of their tests; none: the whole file. */
const leftOut: readonly [reason: keyof typeof reasons, file: string, titles?: readonly string[]][] = [
  ['window', 'accounts/register', ['app window', 'loopback address', 'made in the window']],
  ['window', 'accounts/manage-sessions', ['is listed, and can be ended']],
  ['window', 'accounts/invites', ['ends a link']],
  ['window', 'files/local-files'],
  ['window', 'files/offered-files'],
  ['window', 'watches/'],
  ['window', 'calls/bad-input', ['every call of localFiles', 'every call of watches', 'every call of offeredFiles']],
  ['window', 'downloads/transfer-limits', ['concurrent downloads per address']],
  ['window', 'host/host.test', ['app window', 'a caller on localhost']],
  ['process', 'accounts/sessions', ['nowhere to be found']],
  ['process', 'downloads/heavy-replies'],
  ['process', 'downloads/many-ranges'],
  ['process', 'downloads/transfers'],
  ['process', 'downloads/transfer-limits', ['limits that the host sets']],
  ['process', 'downloads/zip-limits'],
  ['process', 'downloads/zip.test', ['ends the zips that have it']],
  ['process', 'host/activity'],
  ['process', 'host/disk-gone'],
  ['process', 'host/health'],
  ['process', 'host/metrics'],
  ['process', 'calls/pipeline', ['an internal error', 'opens an address gets errors']],
  ['process', 'calls/shared-replies'],
  ['process', 'files/package-facts', ['is read when the host is idle']],
  ['process', 'uploads/tus-'],
  ['folder', 'files/package-facts', ['in a backup', 'in the next backup']],
  ['folder', 'files/kept-pictures'],
  ['folder', 'files/trash'],
  ['folder', 'host/backups'],
  ['folder', 'host/data-folder'],
  ['folder', 'host/maintenance'],
  ['folder', 'host/tester-links-restored'],
  ['folder', 'projects/links-of-earlier-versions'],
  ['folder', 'releases/joining'],
  ['folder', 'releases/retention', ['when the library is lost', 'in the trash forever']],
  ['folder', 'releases/latest', ['when the library is lost']],
  ['address', 'host/lifecycle'],
  [
    'address',
    'host/settings',
    ['another port applies', 'sharing opens', 'chosen addresses', 'a change applies at once'],
  ],
  ['address', 'feeds/apt', ['over HTTPS']],
  ['address', 'internet/'],
  ['address', 'network/'],
  ['late', 'host/settings', ['a limit holds']],
  ['late', 'host/host.test', ['when registration is closed']],
  ['late', 'accounts/sessions', ['used every week']],
  [
    'late',
    'calls/visitor-pages',
    ['follows the settings', 'last two seconds', 'without an account only', 'testers get'],
  ],
  ['late', 'projects/views'],
  ['late', 'projects/projects', ['orders by name, downloads']],
  ['late', 'projects/tester', ['counts opens', 'counts people']],
  ['log', 'host/audit'],
  ['order', 'releases/maintainers', ['move a release at once']],
  ['wire', 'calls/pipeline', ['headers above 16 KiB']],
]

/** Why the test is not for three hosts; undefined: it is. `file`: its path; `title`: of the test, with its groups. */
export function whyLeftOut(file: string, title: string): string | undefined {
  const found = leftOut.find(
    ([, path, titles]) =>
      file.includes(`tests/api/${path}`) && (titles === undefined || titles.some((words) => title.includes(words))),
  )
  return found && reasons[found[0]]
}
