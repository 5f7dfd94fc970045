import { expect, test } from 'vitest'
import { findOutdated } from '../../../server/data/backup/prune'

const DAY = 86_400_000
const START = Date.parse('2026-01-01T03:00:00.000Z')
const nameAt = (time: number) => `backup-${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}`

test('a week of days and four weeks remain of a backup every day, day after day', () => {
  let kept: string[] = []
  for (let day = 0; day < 100; day++) {
    const now = START + day * DAY
    kept.push(nameAt(now))
    const gone = findOutdated(kept, new Date(now))
    kept = kept.filter((name) => !gone.includes(name))
    if (day < 50) continue
    expect([11, 12]).toContain(kept.length)
    for (let age = 0; age < 7; age++) expect(kept).toContain(nameAt(now - age * DAY))
    for (const week of [1, 2, 3, 4]) {
      const [from, to] = [now - (week + 1) * 7 * DAY, now - week * 7 * DAY]
      expect(kept.some((name) => name > nameAt(from - 1) && name <= nameAt(to))).toBe(true)
    }
  }
})

test('the newest is kept however old it is, and what is no backup is not judged', () => {
  const [old, older] = [nameAt(START), nameAt(START - 200 * DAY)]
  const names = [old, older, 'backup-of-mine', '.partial-x', 'photos']
  expect(findOutdated(names, new Date(START + 400 * DAY))).toEqual([older])
})
