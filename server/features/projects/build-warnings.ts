import type { BuildWarning } from '../../contract/files/facts'
import { compareBuilds } from '../../core/versions'
import type { PackageSummary } from '../../data/records/file-records'

/** A package, and the version that pages show for it. */
export interface Build {
  version: string | null
  facts: PackageSummary
}

/**
 * Returns warnings to show before this build is published. `earlier`: builds of the project, newest
 * first.
 */
export function buildWarnings(build: Build, earlier: readonly Build[], now: Date): BuildWarning[] {
  const { facts } = build
  // A library's version may have many wheels, and a project many packages.
  if (facts.isPartial || facts.kind === 'whl' || facts.kind === 'npm') return []
  const ofKind = earlier.filter((it) => it.facts.kind === facts.kind)
  return [...differences(build, ofKind), ...ownWarnings(facts, now)]
}

function* differences(
  { version, facts }: Build,
  ofKind: readonly Build[],
): Generator<BuildWarning> {
  const last = ofKind[0]?.facts
  if (!last) return

  if (last.appId !== undefined && facts.appId !== undefined && last.appId !== facts.appId) {
    const ids = `${facts.appId} instead of ${last.appId}`
    const advice = 'Devices install it as another app, so check that it belongs to this project.'
    const message = `This build has another application id than the last one: ${ids}. ${advice}`
    yield { code: 'other_app_id', message }
    return
  }

  if (last.signer !== undefined && facts.signer !== undefined && last.signer !== facts.signer) {
    const message =
      'This build is signed by another certificate than the last one. ' +
      'Devices may refuse the update, so sign it with the same key as before.'
    yield { code: 'other_signer', message }
  }

  // A release can have one build for each architecture, all with the same numbers.
  const alike = ofKind.filter(
    (it) => String(it.facts.architectures ?? []) === String(facts.architectures ?? []),
  )
  const before = alike[0]?.facts.build
  if (
    before !== undefined &&
    facts.build !== undefined &&
    compareBuilds(facts.build, before) <= 0
  ) {
    const message =
      `The build number of this build, ${facts.build}, is not higher than the last one, ` +
      `${before}. Raise it, so that devices accept the update.`
    yield { code: 'build_not_higher', message }
  }
  if (version !== null && alike.some((it) => it.version === version)) {
    const message =
      `The project already has version ${version} of this app. ` +
      'Raise the version, or remove the older file.'
    yield { code: 'same_version', message }
  }
}

function* ownWarnings(
  { isDebug, isSigned, expiresAt }: PackageSummary,
  now: Date,
): Generator<BuildWarning> {
  if (isDebug)
    yield {
      code: 'debug_build',
      message: 'This is a debug build. Upload a release build for your users.',
    }

  if (isSigned === false) {
    yield {
      code: 'unsigned',
      message: 'This build is not signed. Sign it, because devices may refuse to install it.',
    }
  }

  if (expiresAt !== undefined && expiresAt <= now.toISOString()) {
    const message =
      `The provisioning profile of this build expired on ${expiresAt.slice(0, 10)}. ` +
      'Export the app with a new profile.'
    yield { code: 'profile_expired', message }
  }
}
