import { Anchor, Stack, Text } from '@mantine/core'
import type { LinkedFile, Project } from '../../../server/contract'
import { verifyCommands } from '../../../server/texts/verify-commands'
import { downloadUrl } from '../../paths'
import { CodeBlock } from '../../ui/text/code-block'
import { CopyButton } from '../../ui/text/copy-button'

/** One terminal command per system, for the folder of the copy. */
export function CheckLines({ project, file }: { project: Project; file: LinkedFile }) {
  return (
    <Stack gap="xs">
      <div>
        <CopyButton value={file.sha256} label="Copy SHA-256" />
      </div>
      <Text>Your computer tells you with one line, in the folder where you saved it:</Text>
      {verifyCommands(file.filename, file.sha256).map(({ system, command }) => (
        <div key={system}>
          <Text size="xs" c="dimmed" mb={4}>
            {system}
          </Text>
          <CodeBlock code={command} label={`Check the file on ${system}`} />
        </div>
      ))}
      {project.downloads.length > 1 && (
        <Text size="xs" c="dimmed">
          The digests of all files:{' '}
          <Anchor href={downloadUrl.checksums(project.project_id)} inherit>
            SHA256SUMS
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}
