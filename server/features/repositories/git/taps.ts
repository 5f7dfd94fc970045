import type { Repository } from '../repository'
import { oneDocument, type Document } from '../updaters/feed'
import { cask } from '../updaters/homebrew'
import { scoopManifest } from '../updaters/scoop'
import { asGit } from './repository'

/**
 * Serves a document as a file of its own, `{channel}/{name}`, and in a folder of the Git repository
 * `{channel}.git`.
 */
const both = (document: Document, folder: string): Repository => {
  const asFile = oneDocument(document)
  const inGit = asGit(document, folder)
  return async (deps, request) => (await asFile(deps, request)) ?? inGit(deps, request)
}

/** Serves the project as a cask, and as a tap of Homebrew. */
export const homebrew = both(cask, 'Casks')

/** Serves the project as a manifest of Scoop, and as a bucket. */
export const scoop = both(scoopManifest, 'bucket')
