/** Code that may know that several hosts exist. The libraries know no product. */
const INSIDE = /^server\/(cluster|data\/postgres|libraries)\/|^(scripts|tests)\//
/** Mentions of several hosts in code, texts and comments. `node:cluster` is a module of Node. */
const WORDS = /(?<!node:)cluster|replicas?\b|postgres|no_primary|writerlease|(other|several) hosts/i
/** The number may only fall. */
const MOST = 25

/** Returns a line if more than MOST files outside the fence mention several hosts. */
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
