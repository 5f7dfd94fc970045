/** How programs call what they have not finished writing, and what is of no use to anybody else. */
const UNFINISHED = /^\.|^~\$|~$|\.(part|partial|tmp|temp|crdownload|download|opdownload|filepart|!ut|swp|lock)$/i

/** Whether a file of this name may be a build: it is neither hidden nor named as something unfinished. */
export const isFinishedName = (name: string): boolean => !UNFINISHED.test(name)

/**
 * Whether a name is one of `*.apk, app-?.ipa`, in large or small letters. In time that grows with the product of the two
 * lengths at most, whatever they say: regular expressions and Node's `matchesGlob` take minutes for some.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern
    .normalize()
    .split(',')
    .map((part) => part.trim().toLowerCase())
  return parts.some((part) => part !== '' && matchesOne(name.normalize().toLowerCase(), part))
}

/** Goes through both at once; where they part, the last star takes one letter more. */
function matchesOne(name: string, pattern: string): boolean {
  let at = 0
  let here = 0
  let star = -1
  let taken = 0
  while (at < name.length) {
    if (pattern[here] === '*') [star, taken] = [here++, at]
    else if (pattern[here] === '?' || pattern[here] === name[at]) [at, here] = [at + 1, here + 1]
    else if (star >= 0) [here, at] = [star + 1, ++taken]
    else return false
  }
  return /^\**$/.test(pattern.slice(here))
}
