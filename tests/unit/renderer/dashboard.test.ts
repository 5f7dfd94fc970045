import { describe, expect, test } from 'vitest'
import { stepsLeft } from '../../../renderer/features/dashboard/first-steps'
import { newsSince, noteVisit } from '../../../renderer/features/dashboard/last-visit'
import { suggestionsFor } from '../../../renderer/features/dashboard/suggestions'
import type { ApiKey, LinkedFile, Project } from '../../../server/contract'

const seen = (views: number, total_downloads = 0) => ({ views, total_downloads })
const aProject = (fields: Partial<Project>): Project => {
  const { downloads = [] } = fields
  const whole = { project_id: 'p', title: 'Lantern', is_public: true, short_description: 'x' }
  return { ...whole, downloads, total_files: downloads.length, ...fields } as Project
}
const aLink = (is_public: boolean, channel = 'stable') =>
  ({ is_public, release: { version: '1.4', channel, state: 'published' } }) as LinkedFile
const activeKey = { active: true } as ApiKey

describe('the first steps', () => {
  test('a new account has three', () => {
    expect(stepsLeft({ files: 0, projects: [], hasCopied: false })).toEqual([
      'upload',
      'create',
      'share',
    ])
  })

  test('each goes away when it is done', () => {
    const projects = [{ is_public: true, stats: seen(0) }]
    expect(stepsLeft({ files: 1, projects: [], hasCopied: false })).toEqual(['create', 'share'])
    expect(stepsLeft({ files: 1, projects, hasCopied: false })).toEqual(['share'])
    expect(stepsLeft({ files: 1, projects, hasCopied: true })).toEqual([])
    expect(
      stepsLeft({ files: 1, projects: [{ is_public: true, stats: seen(1) }], hasCopied: false }),
    ).toEqual([])
  })

  test('a private page is not shared, even after its link was copied', () => {
    const projects = [{ is_public: false, stats: seen(9, 9) }]
    expect(stepsLeft({ files: 1, projects, hasCopied: true })).toEqual(['share'])
  })
})

describe('what came since the visit before', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 0, minutes)).toISOString()
  const first = { at: at(0), downloads: 5, views: 10 }

  test('a first visit has no news', () => {
    const visits = noteVisit(undefined, first)
    expect(newsSince(visits.before, first)).toBeUndefined()
  })

  test('coming back within half an hour is the same visit, later it is another', () => {
    const same = noteVisit(noteVisit(undefined, first), { at: at(29), downloads: 6, views: 11 })
    expect(same.before).toBeUndefined()
    const later = { at: at(59), downloads: 8, views: 11 }
    expect(newsSince(noteVisit(same, later).before, later)).toEqual({ downloads: 2, views: 0 })
  })

  test('a deleted project is no news', () => {
    expect(newsSince(first, { downloads: 1, views: 12 })).toEqual({ downloads: 0, views: 2 })
  })
})

describe('what to do next', () => {
  test('an empty project wants files, hidden stable files want to be seen, a public page wants a line', () => {
    const suggestions = suggestionsFor(
      [
        aProject({ title: 'Empty' }),
        aProject({ title: 'Hidden', downloads: [aLink(true), aLink(false)] }),
        aProject({ title: 'Beta', downloads: [aLink(false, 'beta')] }),
        aProject({ title: 'Bare', short_description: '', downloads: [aLink(true)] }),
      ],
      [activeKey],
      ['private:p:1.3'],
    )
    expect(suggestions.map(({ title }) => title)).toEqual([
      'Add files to Empty',
      'Hidden 1.4 has private files',
      'Describe Bare',
    ])
    expect(suggestions[1]?.id).toBe('private:p:1.4')
  })

  test('a dismissed suggestion does not come back', () => {
    expect(suggestionsFor([], [], ['keys'])).toEqual([])
  })

  test('a key is proposed to those without an active one', () => {
    expect(suggestionsFor([], [{ active: false } as ApiKey], []).map(({ title }) => title)).toEqual(
      ['Publish from CI'],
    )
    expect(suggestionsFor([], [activeKey], [])).toEqual([])
  })
})
