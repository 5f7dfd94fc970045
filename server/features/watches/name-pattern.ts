/** Names of unfinished, temporary and hidden files. */
const UNFINISHED =
  /^\.|^~\$|~$|\.(part|partial|tmp|temp|crdownload|download|opdownload|filepart|!ut|swp|lock)$/i

/** Whether a file of this name may be a build. */
export const isFinishedName = (name: string): boolean => !UNFINISHED.test(name)

/**
 * Matches `*.apk, app-?.ipa`, ignoring case, in time of at most the product of both lengths:
 * regular expressions and Node's `matchesGlob` take minutes for some patterns.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern
    .normalize()
    .split(',')
    .map((part) => part.trim().toLowerCase())
  return parts.some((part) => part !== '' && matchesOne(name.normalize().toLowerCase(), part))
}

/** Matches one pattern. On a mismatch, the last star takes one more character. */
function matchesOne(name: string, pattern: string): boolean {
  let at = 0
  let here = 0
  let star = -1
  let starEnd = 0

  while (at < name.length) {
    if (pattern[here] === '*') [star, starEnd] = [here++, at]
    else if (pattern[here] === '?' || pattern[here] === name[at]) [at, here] = [at + 1, here + 1]
    else if (star >= 0) [here, at] = [star + 1, ++starEnd]
    else return false
  }

  return /^\**$/.test(pattern.slice(here))
}
