import { Alert, Anchor, List, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useHost } from '../../lib/host/host'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { paths } from '../../paths'
import { CodeBlock } from '../../ui/text/code-block'
import { curlExample, workflowExample } from './examples'

export function UploadExamples() {
  const { share_url, reachable } = useHost()
  const project = useMyProjects().data?.find(({ can }) => can.includes('link'))
  const target = { base: share_url, project: project?.slug ?? 'my-project' }
  return (
    <Stack component="section" gap="md" aria-labelledby="usage">
      <Title order={2} id="usage">
        Upload with a key
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>
          Send the key in the <code>X-API-Key</code> header of every request.
        </List.Item>
        <List.Item>
          Keep it in a secret of your CI service or an environment variable, never in your code. Anyone who has it can
          upload, change and delete your files.
        </List.Item>
        <List.Item>
          <code>project_id</code>, <code>version</code>, <code>platform</code> and <code>is_public</code> are optional.
          Without a project the file only appears in My Files.
        </List.Item>
      </List>
      {!reachable && (
        <Alert color="gray" variant="light" icon={<IconInfoCircle />}>
          Other machines cannot reach {share_url} yet, so a CI job must run on this host’s own computer.
        </Alert>
      )}
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="actions">GitHub Actions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="md">
          <CodeBlock label="Upload with curl" code={curlExample(target)} />
        </Tabs.Panel>
        <Tabs.Panel value="actions" pt="md">
          <CodeBlock label="Upload from GitHub Actions" code={workflowExample(target)} />
        </Tabs.Panel>
      </Tabs>
      <Text c="dimmed">
        Every call, with its inputs and errors, is in the{' '}
        <Anchor component={Link} to={paths.docs} inherit underline="always">
          API docs
        </Anchor>
        .
      </Text>
    </Stack>
  )
}
