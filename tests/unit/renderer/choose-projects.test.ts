import { expect, test } from 'vitest'
import {
  chooseProjects,
  groupProjects,
} from '../../../renderer/features/projects/list/choose-projects'
import type { Project } from '../../../server/contract'

const aProject = (
  title: string,
  fields: Partial<Project> & { downloads?: never; total?: number } = {},
) =>
  ({
    ...{
      title,
      summary: '',
      is_public: false,
      role: 'owner',
      stats: { total_downloads: fields.total ?? 0, views: 0 },
    },
    ...fields,
  }) as Project

const all = [
  aProject('Rocket 10', { is_public: true, total: 3 }),
  aProject('rocket 9', { total: 7 }),
  aProject('Lantern', { role: 'collaborator', summary: 'Light for a rocket' }),
]

test.for([
  [{}, ['Rocket 10', 'rocket 9', 'Lantern']],
  [{ sort: 'name' }, ['Lantern', 'rocket 9', 'Rocket 10']],
  [{ sort: 'downloads' }, ['rocket 9', 'Rocket 10', 'Lantern']],
  [{ kind: 'public' }, ['Rocket 10']],
  [{ kind: 'private' }, ['rocket 9', 'Lantern']],
  [{ kind: 'shared' }, ['Lantern']],
  [{ search: ' LIGHT ' }, ['Lantern']],
] as const)('%j shows %j', ([filter, titles]) => {
  const chosen = chooseProjects(all, { search: '', kind: 'all', sort: 'newest', ...filter })
  expect(chosen.map(({ title }) => title)).toEqual(titles)
})

test.for([
  ['none', { '': ['Rocket 10', 'rocket 9', 'Lantern'] }],
  ['visibility', { Public: ['Rocket 10'], Private: ['rocket 9', 'Lantern'] }],
  ['role', { 'Your projects': ['Rocket 10', 'rocket 9'], 'Shared with you': ['Lantern'] }],
] as const)('groups by %s', ([group, groups]) => {
  const grouped = groupProjects(all, group).map(({ title, projects }) => [
    title,
    projects.map((each) => each.title),
  ])
  expect(Object.fromEntries(grouped)).toEqual(groups)
})
