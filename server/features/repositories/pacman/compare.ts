/** `epoch:version-release`; a version without an epoch has 0. */
const PARTS = /^(?:(\d*):)?(.*?)(?:-([^-]*))?$/s

/** Which of two versions pacman takes for newer (vercmp(8)): positive for the first. */
export function compareAsPacman(a: string, b: string): number {
  const [, epochA = '0', versionA = '', releaseA] = PARTS.exec(a) ?? []
  const [, epochB = '0', versionB = '', releaseB] = PARTS.exec(b) ?? []
  return (
    compareSegments(epochA, epochB) ||
    compareSegments(versionA, versionB) ||
    // One without a release is equal to any.
    (releaseA === undefined || releaseB === undefined ? 0 : compareSegments(releaseA, releaseB))
  )
}

/** Other characters, a number or letters, and the rest. */
const SEGMENT = /^([^a-z\d]*)(\d+|[a-z]+|)(.*)$/is

/** As rpmvercmp does, which pacman has from rpm before it knew `~` and `^`. */
function compareSegments(a: string, b: string): number {
  let [one, two] = [a, b]
  while (one !== '' && two !== '') {
    const [, beforeOne = '', segmentOne = '', restOne = ''] = SEGMENT.exec(one) ?? []
    const [, beforeTwo = '', segmentTwo = '', restTwo = ''] = SEGMENT.exec(two) ?? []
    if (segmentOne === '' || segmentTwo === '') return compareEnds(segmentOne, segmentTwo)
    if (beforeOne.length !== beforeTwo.length) return beforeOne.length - beforeTwo.length

    const difference = compareSegment(segmentOne, segmentTwo)
    if (difference !== 0) return difference
    one = restOne
    two = restTwo
  }
  return compareEnds(one, two)
}

/** Where at least one has ended: letters are older than nothing, and anything else is newer. */
function compareEnds(one: string, two: string): number {
  if (one === two) return 0
  return /^[a-z]/i.test(one) || (one === '' && !/^[a-z]/i.test(two)) ? -1 : 1
}

/** A number is newer than letters. */
function compareSegment(one: string, two: string): number {
  const isNumber = /^\d/.test(one)
  if (isNumber !== /^\d/.test(two)) return isNumber ? 1 : -1

  const [x = '', y = ''] = isNumber ? [one, two].map((it) => it.replace(/^0+/, '')) : [one, two]
  if (isNumber && x.length !== y.length) return x.length - y.length
  return x < y ? -1 : Number(x > y)
}
