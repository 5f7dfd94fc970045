import { openText, sealText } from '../../access/sealed-text'
import type { Rooms } from '../../compose/context'
import { parseJson } from '../../core/json'

type Deps = Rooms<'data' | 'host'>

/** How long a form that a person has open sends its report after its link has ended, in ms. */
const OPEN_MS = 24 * 3_600_000

/** A form that was opened by a link while that worked. */
export interface OpenForm {
  projectId: string
  testerId: string
  /** The key of the only report that it may send. */
  key: string
}

/**
 * Seals what lets a form send its report though its link ends meanwhile: what a tester has written
 * must not be lost. It opens one report only, since the key becomes the address of the report.
 */
export function sealForm({ data, host }: Deps, { projectId, testerId, key }: OpenForm): string {
  const until = host.sources.now().getTime() + OPEN_MS
  return sealText(data.secrets.sessionKeys, JSON.stringify([projectId, testerId, key, until]))
}

/** Returns a form that this host has sealed within the last day. */
export function readForm({ data, host }: Deps, sealed: unknown): OpenForm | undefined {
  const text = typeof sealed === 'string' && openText(data.secrets.sessionKeys, sealed)
  const form = text ? parseJson(text) : undefined
  if (!Array.isArray(form) || form.length !== 4) return undefined

  const [projectId, testerId, key, until] = form as [string, string, string, number]
  return until > host.sources.now().getTime() ? { projectId, testerId, key } : undefined
}
