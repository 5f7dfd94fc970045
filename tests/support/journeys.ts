/**
 * The titles of the tests that `npm test` runs in a browser and in the app's window, from the first
 * account to a kill. `npm run test:all` runs the others, too.
 */
export const journeys = [
  // In the browser.
  'registering leads to the sign-in page, and signing in by email to the dashboard',
  'the host invites a person, who registers with the link while registration is closed',
  'creates the host account, and leaves the address bar at once',
  'a key is shown once, uploads a build, is revoked, and is deleted',
  'a terminal logs in by its code, then uploads and promotes as it is',
  'signing out leads to the sign-in page, and forgets where the person was',
  'changing the password ends every other session and keeps this one',
  'the details of a file are opened by keyboard and say everything about its package',
  'switch and menu change the visibility at once, and revert on failure',
  'a file is deleted after a question that names it, and can be brought back',
  'a download carries bytes and name, and the link of a public file the host',
  'what was deleted is brought back as it was, or deleted for good',
  'a signed-in person finds menu, name and Logout in the header, and links in the sidebar',
  'while the host is stopped a bar says so, and then all resumes',
  'without a network the bar says so, and pages load when it is back',
  'a page whose files an update removed is loaded again, but only once',
  'a visitor loads next to no script before a project can be downloaded',
  'the host page shows that nothing is transferred, who can reach it, and the free space',
  'public files are searched by name, and arrive byte for byte',
  'a creator finds the page, and a phone reads its QR code',
  'no Markdown brings HTML or scripts to the page of a project',
  'people are added by username or email and removed again',
  'a post is added, edited and deleted',
  'a project is created from its dialog, and its page opens',
  'the keyboard alone gets to the download, which arrives byte for byte',
  'a private file is for its owner, who makes it public with one click',
  'one click promotes a beta or withdraws a release, and Undo takes both back',
  'a draft is created with notes and a preview, gets files, and is published',
  'a link is made, copied once, opened by a tester, changed and revoked',
  'a project is read and downloaded on a phone',
  'a file from the picker is uploaded, announced and listed, and the form is reset',
  'files are dropped anywhere on any page, and several make a queue',
  'one sheet leads from a file to a link: facts, who can open it, and the network',
  'resumes a paused upload at the host’s offset, not from the start',
  'after a reload, refuses another file, and resumes with the same one',

  // In the window.
  'a creator publishes a build, a visitor downloads it, a CI job brings the next one',
  'nothing confirmed is lost when the app is killed, and the next start says once what it recovered, but not after a shutdown',
  'publishes a file dropped on any page without copying it first, and nothing that no person gave to the page',
  'quitting lets a running download finish, and a start meanwhile gets its turn afterwards',
  'the page runs sandboxed, without Node or webviews',
]

/** Matches the whole name of a test, which ends with its title. */
const isJourney = new RegExp(`(${journeys.map(escape).join('|')})$`)

/** What Playwright runs of a suite: `journeys`, the `rest`, or all. */
export function choosePart(part: string | undefined): { grep?: RegExp; grepInvert?: RegExp } {
  if (part === 'journeys') return { grep: isJourney }
  return part === 'rest' ? { grepInvert: isJourney } : {}
}

/** For a regular expression that finds these very characters. */
function escape(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
