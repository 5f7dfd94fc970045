import type { ApiKey, Project } from '../../../server/contract'
import { paths } from '../../paths'

export interface Suggestion {
  to: string
  title: string
  text: string
}

const AT_MOST = 3

export function suggestionsFor(own: readonly Project[], keys: readonly ApiKey[] | undefined): Suggestion[] {
  return [...own.flatMap(projectSuggestions), ...keySuggestions(keys)].slice(0, AT_MOST)
}

function projectSuggestions(project: Project): Suggestion[] {
  const { project_id, title, is_public, downloads, total_files, short_description } = project
  if (total_files === 0) {
    return [
      { to: paths.project(project_id), title: `Add files to ${title}`, text: 'Its page has nothing to download yet.' },
    ]
  }
  if (is_public && downloads.some((file) => !file.is_public)) {
    const text = 'Some of its newest files are private.'
    return [{ to: paths.project(project_id), title: `Show visitors everything in ${title}`, text }]
  }
  if (is_public && short_description === '') {
    const text = 'One line tells visitors what it is.'
    return [{ to: paths.projectSettings(project_id), title: `Describe ${title}`, text }]
  }
  return []
}

function keySuggestions(keys: readonly ApiKey[] | undefined): Suggestion[] {
  if (keys === undefined || keys.some(({ active }) => active)) return []
  return [{ to: paths.apiKeys, title: 'Publish from CI', text: 'With an API key, every build uploads itself.' }]
}
