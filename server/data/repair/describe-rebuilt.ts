import type { Rebuilt } from './rebuild'

/** What `slipway rebuild` prints. */
export function describeRebuilt({ files, projects, accounts, unknown, kept }: Rebuilt): string {
  return [
    `${files} files, ${projects} projects and ${accounts.length} accounts are there again.`,
    'Texts of projects, posts, collaborators, API keys and counts are lost with the old library.',
    'Everybody has a new password:',
    ...accounts.map(({ username, password }) => `  ${username}  ${password}`),
    ...(unknown.length === 0 ? [] : ['Nothing is known of these blobs; the next start keeps them apart for a week:']),
    ...unknown.map((blobId) => `  ${blobId}`),
    ...(kept === undefined ? [] : [`The old library is in ${kept}.`]),
  ].join('\n')
}
