import type { Rebuilt } from './rebuild'

/** What `slipway rebuild` prints. */
export function describeRebuilt({ files, projects, accounts, unknown, kept }: Rebuilt): string {
  return [
    `Restored ${files} files, ${projects} projects and ${accounts.length} accounts.`,
    'Project descriptions, posts, collaborators, API keys and counts are lost with the old library.',
    'Every account has a new password:',
    ...accounts.map(({ username, password }) => `  ${username}  ${password}`),
    ...(unknown.length === 0 ? [] : ['These blobs are unknown; the next start sets them aside for a week:']),
    ...unknown.map((blobId) => `  ${blobId}`),
    ...(kept === undefined ? [] : [`The old library is in ${kept}.`]),
  ].join('\n')
}
