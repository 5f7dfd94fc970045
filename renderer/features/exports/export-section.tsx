import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import type { ExportSummary } from '../../../server/contract'
import { formatQuantity, formatSize, joinWords } from '../../../server/texts/format'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { downloadUrl } from '../../paths'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'

/** Says what an export of the account contains, and downloads it. */
export function ExportSection() {
  const query = useLoad(
    queryKeys.exportSummary,
    async (client, signal) => (await client.exports.summary({}, signal)).export,
  )

  return (
    <Stack component="section" aria-labelledby="export" gap="sm">
      <Title order={2} size="h3" id="export">
        Export
      </Title>
      <Loaded
        query={query}
        title="Your export could not be prepared"
        skeleton={<Skeleton h={92} role="status" aria-label="Loading" />}
      >
        {(summary) => (
          <Group justify="space-between" align="flex-start" gap="md">
            <Stack gap="sm" flex="1 1 18rem">
              <Stack gap={4}>
                <Text>
                  One ZIP of {formatSize(summary.size)} with {listOf(summary)}. You can pause the
                  download and resume it.
                </Text>
                <Text c="dimmed" size="sm">
                  Files as they are, release notes and news as Markdown, pictures, and one JSON
                  file. Not included: passwords, API keys, links for testers, shares and file
                  requests, webhooks, the trash, and visitor statistics.
                </Text>
              </Stack>
              {!summary.is_importable && (
                <Warning title="This export is too large to import">
                  To move to another host, export each project in its settings, and upload your
                  other files again.
                </Warning>
              )}
            </Stack>
            <Button
              component="a"
              href={downloadUrl.account()}
              download
              leftSection={<IconFileZip size={16} />}
            >
              Export everything
            </Button>
          </Group>
        )}
      </Loaded>
    </Stack>
  )
}

function listOf({ projects, releases, posts, pictures, reports, files }: ExportSummary): string {
  const count = (number: number, one: string) => (number === 0 ? [] : [formatQuantity(number, one)])
  const parts = [
    ...count(projects, 'project'),
    ...count(releases, 'release'),
    ...count(posts, 'news post'),
    ...count(pictures, 'picture'),
    ...count(reports, 'report'),
    ...count(files, 'file'),
  ]

  return parts.length === 0 ? 'your name and email address' : joinWords(parts)
}
