import { Alert, Anchor, List, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useHost } from '../../lib/host/host'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { paths } from '../../paths'
import { CodeBlock } from '../../ui/text/code-block'
import { curlExample, gitlabExample, pushExample, workflowExample } from './examples'

const examples = [
  { value: 'push', title: 'Terminal', label: 'Upload from a terminal', codeFor: pushExample },
  { value: 'actions', title: 'GitHub Actions', label: 'Upload from GitHub Actions', codeFor: workflowExample },
  { value: 'gitlab', title: 'GitLab', label: 'Upload from GitLab', codeFor: gitlabExample },
  { value: 'curl', title: 'curl', label: 'Upload with curl', codeFor: curlExample },
]

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
          <code>slipway push</code> reads the key from <code>SLIPWAY_KEY</code>; other programs send it in the{' '}
          <code>X-API-Key</code> header.
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
      <Tabs defaultValue="push" keepMounted={false}>
        <Tabs.List>
          {examples.map(({ value, title }) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {examples.map(({ value, label, codeFor }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            <CodeBlock label={label} code={codeFor(target)} />
          </Tabs.Panel>
        ))}
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
