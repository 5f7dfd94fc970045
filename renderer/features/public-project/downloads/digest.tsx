import { Code, Group } from '@mantine/core'
import { CopyButton } from '../../../ui/text/copy-button'

/** The start of a SHA-256; shows all of it on hover, copies it on click. */
export function Digest({ sha256 }: { sha256: string }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Code title={`SHA-256 ${sha256}`}>{sha256.slice(0, 12)}…</Code>
      <CopyButton value={sha256} label="Copy SHA-256" look="icon" />
    </Group>
  )
}
