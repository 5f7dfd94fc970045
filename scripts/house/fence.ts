/** Where code may know that hosts can be several. The libraries know no product. */
const INSIDE = /^server\/(cluster|data\/postgres|libraries)\/|^(scripts|tests)\//
/** Words of several hosts, in code, texts and comments. `node:cluster` is a module of Node. */
const WORDS = /(?<!node:)cluster|replicas?\b|postgres|no_primary|writerlease|(other|several) hosts/i
/** The number may only fall. */
const MOST = 25

/** Returns a line if more files than before know that a host can be one of several. */
export function findOutsideFence(files: readonly { path: string; text: string }[]): string[] {
  const outside = files
    .filter(({ path, text }) => !INSIDE.test(path) && WORDS.test(path + text))
    .map(({ path }) => path)

  if (outside.length <= MOST) return []
  return [
    `server/cluster: ${outside.length} files outside know of several hosts, at most ${MOST}: ` +
      outside.join(', '),
  ]
}
