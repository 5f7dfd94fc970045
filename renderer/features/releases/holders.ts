import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { formatQuantity } from '../../lib/texts/format'

/** Says how many tester links have a version. Empty: none. */
export async function describeHolders(
  client: Client,
  { id, version }: Record<'id' | 'version', string>,
  signal?: AbortSignal,
): Promise<string> {
  const { by_version } = await client.testers.list({ id }, signal)
  const has = by_version.find((it) => it.version === version)?.has ?? 0
  if (has === 0) return ''
  return `${formatQuantity(has, 'tester link')} ${has === 1 ? 'has' : 'have'} ${version}.`
}

/** The same, once it is known. */
export const useHolders = (id: string, version: string): string | undefined =>
  useLoad([...queryKeys.projects.testers(id), 'holders', version], (client, signal) =>
    describeHolders(client, { id, version }, signal),
  ).data
