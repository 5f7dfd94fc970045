import { cutText } from './format'
import type { InstallBuild, InstallView } from './install-view'

/** The page of a preview on one device. Its texts are untrusted, as they come from requests. */
export interface PreviewPageView {
  name: string
  title: string
  /** The page of the pull request. */
  requestUrl: string | null
  /** UTC ISO 8601. */
  until: string
  install: InstallView
  /** Newest first. */
  builds: readonly {
    number: number
    commit: string | null
    createdAt: string
    files: readonly InstallBuild[]
  }[]
}

/** The first characters of a commit, which name it for people. */
export const shortCommit = (commit: string): string => commit.slice(0, 7)

/** Names a build as the version of a report, which outlives the preview. */
export const nameBuild = (
  name: string,
  { number, commit }: { number: number; commit: string | null },
): string =>
  `${cutText(name, 40)} build ${number}${commit === null ? '' : ` (${shortCommit(commit)})`}`
