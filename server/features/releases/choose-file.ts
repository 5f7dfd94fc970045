import { architectureIn, platformOf, type Platform } from '../../contract'
import { extensionOf } from '../../texts/filename'
import { platformOfLink } from '../projects/link-store'
import { formatsOf, type System } from './device'
import type { ListedFile } from '../projects/project-view'

/** The facts that are known about the device that gets a file. */
export interface Target extends System {
  /** Architecture of the processor. Undefined if unknown. */
  arch?: string | undefined
}

/** Platforms whose newer devices have this architecture. */
const ARM_FIRST: readonly (Platform | undefined)[] = ['Android', 'iOS', 'macOS']

/** The other architectures that a processor runs, the fastest first. */
const ALSO_RUNS: Partial<Record<Platform, Readonly<Record<string, readonly string[]>>>> = {
  Windows: { arm64: ['x64', 'x86'], x64: ['x86'] },
  macOS: { arm64: ['x64'] },
  Android: { arm64: ['arm'], x64: ['x86'] },
  Linux: { x64: ['x86'] },
}

/** The platform that installs a file. */
export const platformOfListed = ({ link, file }: ListedFile): Platform | undefined =>
  file.isPart
    ? undefined
    : platformOf({ filename: file.filename, platform: platformOfLink(link, file) })

/**
 * Chooses the file of a release that a device should get, for pages, links and the CLI alike.
 * Prefers formats that the device installs; within these its own architecture, then files for any
 * architecture, then those it can emulate. If the processor is unknown, any file may be chosen.
 * `files`: newest first.
 */
export function chooseFile(files: readonly ListedFile[], target: Target): ListedFile | undefined {
  const { platform } = target

  const fitting = files.filter(
    (listed) => platform === undefined || platformOfListed(listed) === platform,
  )

  const formats = formatsOf(target)
  const groups = [
    ...formats.map((names) =>
      fitting.filter((listed) => names.includes(extensionOf(listed.file.filename))),
    ),
    fitting.filter((listed) => !formats.flat().includes(extensionOf(listed.file.filename))),
  ]

  for (const ranks of ranksFor(target))
    for (const group of groups) {
      const best = findBest(group, ranks)
      if (best) return best
    }

  return target.arch === undefined ? groups.flat()[0] : undefined
}

type Architecture = string | undefined

/**
 * Returns groups of architectures to try in order (undefined: any). An earlier group wins over a
 * better format.
 */
function ranksFor({ platform, arch }: Target): Architecture[][] {
  if (arch === undefined) {
    const [usual, other] = ARM_FIRST.includes(platform) ? ['arm64', 'x64'] : ['x64', 'arm64']
    return [[undefined, usual], [other]]
  }
  const own = architectureIn(arch) ?? arch
  const also = platform === undefined ? undefined : ALSO_RUNS[platform]?.[own]
  return [[own, undefined], ...(also ?? []).map((name) => [name])]
}

function findBest(
  files: readonly ListedFile[],
  ranks: readonly Architecture[],
): ListedFile | undefined {
  for (const rank of ranks) {
    const match = files.find((listed) =>
      architecturesOf(listed).some((name) => name?.toLowerCase() === rank?.toLowerCase()),
    )
    if (match) return match
  }

  return undefined
}

/**
 * Returns the architectures that the package states, else those in the filename. Undefined: any.
 */
export function architecturesOf({ link, file }: ListedFile): readonly Architecture[] {
  const architectures = file.facts?.architectures ?? []
  const named = architectureIn(`${file.filename} ${link.platform ?? ''}`)
  if (architectures.length === 0) return [named]
  // Installers are x86 programs, no matter what they install.
  const isInstaller = file.facts?.kind === 'exe' && architectures.every((name) => name === 'x86')
  return isInstaller && named !== undefined ? [named] : architectures
}
