import { Anchor, List, Stack, Tabs, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import { calls } from '../../../server/contract/calls'
import { ciSnippets, type Snippet, type Target } from '../../lib/ci/snippets'
import { useTarget } from '../../lib/ci/use-target'
import { address } from '../../lib/client/api-client'
import { useHost } from '../../lib/host/host'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useSearchParam } from '../../lib/hooks/use-search-param'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { paths } from '../../paths'
import { CodeBlock } from '../../ui/text/code-block'
import type { CreatedKey } from './use-api-keys'

/** Fields precede the file, so that the host reads them before the bytes. */
const curl = ({ base, project }: Target): string => `curl --fail-with-body \\
  -H "X-API-Key: $SLIPWAY_KEY" \\
  -F project_id=${project} \\
  -F version=1.4.0 \\
  -F platform=Android \\
  -F is_public=true \\
  -F file=@app-release.apk \\
  ${base + address(calls.files.upload, {}).url}`

/** The example that contains a new key. */
const TERMINAL = ciSnippets[0]?.name

const snippets: readonly Snippet[] = [
  ...ciSnippets,
  { name: 'curl', files: (target) => [{ path: '', code: curl(target) }] },
]

/** `created`: the key that was just created, which the terminal example contains. */
export function UploadExamples({ created }: { created: CreatedKey | undefined }) {
  const { share_url } = useHost()
  const slug = useExampleProject(created)
  const target = { ...useTarget(share_url, slug), key: created?.value }

  return (
    <Stack component="section" gap="md" aria-labelledby="usage">
      <Title order={2} id="usage">
        Upload with a key
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>
          <code>slipway push</code> reads the key from <code>SLIPWAY_KEY</code>; other programs send
          it in the <code>X-API-Key</code> header.
        </List.Item>
        <List.Item>
          Keep it in a secret of your CI service or an environment variable, never in your code.
          Anyone who has it can use it.
        </List.Item>
        {!share_url.startsWith('https:') && (
          <List.Item>
            Over HTTP, a network could replace the command, so the examples check its SHA-256. It
            changes when Slipway is updated on this host: copy the example again then.
          </List.Item>
        )}
        <List.Item>
          <code>project_id</code>, <code>version</code>, <code>platform</code> and{' '}
          <code>is_public</code> are optional. Without a project the file only appears in My Files.
        </List.Item>
      </List>
      <OnlyThisComputer
        text={`Only this computer can open ${share_url}, so a CI job must run on this computer.`}
      />
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
              {created && name === TERMINAL && (
                <Text size="sm" fw={600} role="status">
                  This block contains your new key. It is shown only once.
                </Text>
              )}
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

/**
 * The short name of the project of the new key, of the one that the page was opened from, or of the
 * first one.
 */
function useExampleProject(created: CreatedKey | undefined): string {
  const [openedFrom] = useSearchParam('project')
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link')) ?? []
  const chosen = projects.find(
    ({ project_id }) => project_id === (created?.projectId ?? openedFrom),
  )
  return (chosen ?? projects[0])?.slug ?? 'my-project'
}
