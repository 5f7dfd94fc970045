import { expect, test } from 'vitest'
import { toCsv } from '../../../renderer/features/projects/statistics/to-csv'

test('the table of statistics has a row for each count, and runs no formula', async () => {
  const days = [
    { date: '2026-11-24', downloads: 2, views: 0 },
    { date: '2026-11-25', downloads: 0, views: 3 },
  ]
  const shares = [
    { by: 'version' as const, value: '=1+1', name: null, days: [9, 2, 0] },
    { by: 'tester' as const, value: 't5Yd9pRw3KfM', name: 'Club, "Berlin"', days: [0, 1, 0] },
    { by: 'referrer' as const, value: '', name: null, days: [0, 0, 3] },
  ]

  expect(await toCsv(days, shares).text()).toBe(
    [
      'date,count_of,by,value,count',
      '2026-11-24,downloads,,,2',
      "2026-11-24,downloads,version,'=1+1,2",
      '2026-11-24,downloads,tester,"Club, ""Berlin""",1',
      '2026-11-25,views,,,3',
      '2026-11-25,views,referrer,Direct or unknown,3',
      '',
    ].join('\r\n'),
  )
})
