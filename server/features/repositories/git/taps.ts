import type { Repository } from '../repository'
import { oneDocument, type Document } from '../updaters/feed'
import { cask } from '../updaters/homebrew'
import { scoopManifest } from '../updaters/scoop'
import { asGit } from './repository'

/**
 * A document as a file for itself, `{channel}/{name}`, and in the folder of a Git repository,
 * `{channel}.git`.
 */
const both = (document: Document, folder: string): Repository => {
  const asFile = oneDocument(document)
  const inGit = asGit(document, folder)
  return async (deps, request) => (await asFile(deps, request)) ?? inGit(deps, request)
}

/** The project as a cask, and as a tap of Homebrew. */
export const homebrew = both(cask, 'Casks')

/** The project as a manifest of Scoop, and as a bucket. */
export const scoop = both(scoopManifest, 'bucket')
