import type { ApiKey, Project } from '../../../server/contract'
import { paths } from '../../paths'

export interface Suggestion {
  /** Identifies the subject, so that a dismissed suggestion does not return. */
  id: string
  to: string
  title: string
  text: string
}

/** The suggestions that were not dismissed. */
export function suggestionsFor(
  own: readonly Project[],
  keys: readonly ApiKey[] | undefined,
  dismissed: readonly string[],
): Suggestion[] {
  const all = [...own.flatMap(projectSuggestions), ...keySuggestions(keys)]
  return all.filter(({ id }) => !dismissed.includes(id))
}

function projectSuggestions(project: Project): Suggestion[] {
  const { project_id, title, is_public, downloads, total_files, short_description } = project
  if (total_files === 0) {
    return [
      {
        id: `files:${project_id}`,
        to: paths.project(project_id),
        title: `Add files to ${title}`,
        text: 'Its page has nothing to download yet.',
      },
    ]
  }

  const hidden = is_public ? downloads.find(isHiddenStable)?.release : undefined
  if (hidden) {
    return [
      {
        id: `private:${project_id}:${hidden.version}`,
        to: paths.project(project_id),
        title: `${title} ${hidden.version} has private files`,
        text: 'Visitors cannot download them.',
      },
    ]
  }

  if (is_public && short_description === '') {
    const text = 'One line tells visitors what it is.'
    return [
      {
        id: `text:${project_id}`,
        to: paths.projectSettings(project_id),
        title: `Describe ${title}`,
        text,
      },
    ]
  }

  return []
}

/** A beta may well be private on purpose. */
const isHiddenStable = ({ is_public, release }: Project['downloads'][number]) =>
  !is_public && release?.channel === 'stable' && release.state === 'published'

function keySuggestions(keys: readonly ApiKey[] | undefined): Suggestion[] {
  if (keys === undefined || keys.some(({ active }) => active)) return []
  return [
    {
      id: 'keys',
      to: paths.apiKeys,
      title: 'Publish from CI',
      text: 'With an API key, every build uploads itself.',
    },
  ]
}
