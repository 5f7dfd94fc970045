import { expect, test } from 'vitest'
import { noticeOf } from '../../../main/notices/project-words'
import type { ProjectDeed } from '../../../server/index'

const deed = (change: Partial<ProjectDeed> = {}): ProjectDeed => ({
  ...{ who: 'alice', kind: 'file', subject: 'boat.apk', title: 'Moorings' },
  ...change,
})

test.for([
  [deed(), 'alice added boat.apk to Moorings'],
  [deed({ kind: 'person', subject: 'bob' }), 'alice added bob to Moorings'],
  [deed({ kind: 'person', subject: null }), 'alice added you to Moorings'],
  [deed({ kind: 'removal', subject: null }), 'alice removed you from Moorings'],
  [deed({ kind: 'owner', subject: null }), 'Moorings now belongs to you'],
  [deed({ kind: 'update' }), 'alice posted news on Moorings'],
  [deed({ kind: 'page' }), 'alice changed the page of Moorings'],
] as const)('one deed is one sentence: %s', ([one, title]) => {
  expect(noticeOf([one])).toEqual({ title, body: '' })
})

test('several are counted, and the first of them named', () => {
  const many = ['a.apk', 'b.apk', 'c.apk', 'd.apk'].map((subject) => deed({ subject }))
  expect(noticeOf(many)).toEqual({
    title: 'alice made 4 changes on Moorings',
    body: 'alice added a.apk to Moorings. alice added b.apk to Moorings. alice added c.apk to Moorings, and 1 more',
  })
  expect(noticeOf([deed(), deed({ who: 'bob', kind: 'update', title: 'Pier' })])).toEqual({
    title: '2 changes on 2 projects',
    body: 'alice added boat.apk to Moorings. bob posted news on Pier',
  })
})

test('saving a page again and again is one change, and long names are cut', () => {
  expect(noticeOf([deed({ kind: 'page' }), deed({ kind: 'page' })]).title).toBe(
    'alice changed the page of Moorings',
  )
  const { title } = noticeOf([deed({ subject: 'x'.repeat(255), title: 'y'.repeat(200) })])
  expect(title).toBe(`alice added ${'x'.repeat(59)}… to ${'y'.repeat(59)}…`)
})
