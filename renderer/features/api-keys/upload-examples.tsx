import { Alert, Anchor, List, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { calls } from '../../../server/contract/calls'
import { ciSnippets, type Snippet, type Target } from '../../lib/ci/snippets'
import { useTarget } from '../../lib/ci/use-target'
import { address } from '../../lib/client/api-client'
import { useHost } from '../../lib/host/host'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { paths } from '../../paths'
import { CodeBlock } from '../../ui/text/code-block'

/** Fields precede the file, so that the host reads them before the bytes. */
const curl = ({ base, project }: Target): string => `curl --fail-with-body \\
  -H "X-API-Key: $SLIPWAY_KEY" \\
  -F project_id=${project} \\
  -F version=1.4.0 \\
  -F platform=Android \\
  -F is_public=true \\
  -F file=@app-release.apk \\
  ${base + address(calls.files.upload, {}).url}`

const snippets: readonly Snippet[] = [
  ...ciSnippets,
  { name: 'curl', files: (target) => [{ path: '', code: curl(target) }] },
]

export function UploadExamples() {
  const { share_url, reachable } = useHost()
  const project = useMyProjects().data?.find(({ can }) => can.includes('link'))
  const target = useTarget(share_url, project?.slug ?? 'my-project')
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
        {!share_url.startsWith('https:') && (
          <List.Item>
            Over HTTP, a network could replace the command, so the examples check its SHA-256. It changes when Slipway
            is updated on this host: copy the example again then.
          </List.Item>
        )}
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
      <Tabs defaultValue={snippets[0]?.name ?? null} keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, files }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Stack gap="md">
              {files(target).map(({ path, code }) => (
                <Stack key={path} gap={4}>
                  {path !== '' && <code>{path}</code>}
                  <CodeBlock label={path === '' ? name : `${name}: ${path}`} code={code} />
                </Stack>
              ))}
            </Stack>
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
