import { Anchor, Badge, Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { lazyPage } from '../../lib/browser/lazy-page'
import { formatQuantity, formatWhole } from '../../lib/texts/format'
import { paths } from '../../paths'
import { Lazily } from '../../ui/feedback/lazily'
import { Markdown } from '../../ui/markdown/markdown'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { Time } from '../../ui/text/time'
import { ReleaseFiles } from './release-files'
import classes from './releases.module.css'
import { useReleaseActions, type ReleaseProps } from './use-release-actions'

const BeforePublish = lazyPage(() => import('../files/facts/platform-checks'), 'BeforePublish')
const ReleaseMenu = lazyPage(() => import('./release-menu'), 'ReleaseMenu')

export function ReleaseCard({ project, release, channels }: ReleaseProps) {
  const { version, channel, state, notes, rollout, files, total_files } = release
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  useDidUpdate(() => {
    // The used button disappears, so move the focus to the card.
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [state, channel])

  return (
    <Card component="article" padding="md" aria-labelledby={id}>
      <div className={classes.head}>
        <Stack gap={4} miw={0}>
          <Group gap="4px 8px">
            <Title
              order={2}
              size="h3"
              id={id}
              ref={title}
              tabIndex={-1}
              className={classes.version}
            >
              <bdi>{version}</bdi>
            </Title>
            <Badge color={channel === 'stable' ? 'quay' : 'gray'}>{channel}</Badge>
            {state === 'draft' && <Badge color="gray">Draft</Badge>}
            {state === 'withdrawn' && <Badge color="orange">Withdrawn</Badge>}
            {rollout < 100 && <Badge color="blue">Rollout {rollout} %</Badge>}
          </Group>
          <Text size="xs" c="dimmed">
            <StateInWords project={project} release={release} />
            <Reports project={project} release={release} />
          </Text>
        </Stack>
        {release.can.includes('update') && (
          <ReleaseActions project={project} release={release} channels={channels} />
        )}
      </div>
      {notes !== '' && (
        <Box mt="xs">
          <ReleaseNotes notes={notes} version={version} />
        </Box>
      )}
      <Box mt="xs">
        {total_files > 0 && <ReleaseFiles project={project} release={release} />}
        <Lazily>
          {state === 'draft' && <BeforePublish files={files.filter(({ facts }) => facts)} />}
        </Lazily>
        {total_files === 0 && <NoFiles project={project} release={release} />}
      </Box>
    </Card>
  )
}

/** The next step and Withdraw as buttons, other actions in a menu. */
function ReleaseActions({ project, release, channels }: ReleaseProps) {
  const { version, channel, state } = release
  const actions = useReleaseActions(project.project_id, release)

  const { change, pending } = actions
  const button = (kind: typeof pending, text: string) => ({
    size: 'xs' as const,
    loading: pending === kind,
    // A click meanwhile would do nothing.
    disabled: pending !== undefined && pending !== kind,
    'aria-label': `${text}: ${version}`,
    children: text,
  })

  return (
    <Group gap={6} wrap="nowrap">
      {state === 'draft' && (
        <Button {...button('publish', 'Publish')} onClick={() => change({ kind: 'publish' })} />
      )}
      {state === 'withdrawn' && (
        <Button
          {...button('publish', 'Publish again')}
          variant="default"
          onClick={() => change({ kind: 'publish' })}
        />
      )}
      {state === 'published' && channel !== 'stable' && (
        <Button
          {...button('promote', 'Promote to stable')}
          onClick={() => change({ kind: 'promote', to: 'stable' })}
        />
      )}
      {state === 'published' && (
        <Button
          {...button('withdraw', 'Withdraw')}
          variant="default"
          onClick={() => change({ kind: 'withdraw' })}
        />
      )}
      <LateMenu button={<MenuButton label={`Actions for ${version}`} size="lg" />}>
        {(start) => (
          <ReleaseMenu
            project={project}
            release={release}
            channels={channels}
            actions={actions}
            {...start}
          />
        )}
      </LateMenu>
    </Group>
  )
}

function StateInWords({ project, release }: Pick<ReleaseProps, 'project' | 'release'>) {
  const { state, version, published_at, created_at } = release
  if (state === 'draft') {
    return (
      <>
        Created <Time value={created_at} inSentence /> · only members of the project see it
      </>
    )
  }
  if (state === 'withdrawn') return 'Hidden from visitors and links. Project members still see it.'

  return (
    <>
      Published <Time value={published_at ?? created_at} inSentence /> ·{' '}
      <Anchor href={paths.publicRelease(project.slug, version)} inherit underline="always">
        View its page
      </Anchor>
    </>
  )
}

/** How many reports are about a release. */
function Reports({
  project,
  release: { version, reports },
}: Pick<ReleaseProps, 'project' | 'release'>) {
  if (!reports || reports.total === 0) return null

  return (
    <>
      {' · '}
      <Anchor
        component={Link}
        to={paths.reportsWith(project.project_id, { version })}
        inherit
        underline="always"
      >
        {formatQuantity(reports.total, 'report')}
      </Anchor>
      {reports.fixed > 0 && `, ${formatWhole(reports.fixed)} fixed`}
    </>
  )
}

function NoFiles({ project, release: { version } }: Pick<ReleaseProps, 'project' | 'release'>) {
  return (
    <Group gap="xs" justify="space-between">
      <Text c="dimmed">No files yet</Text>
      {project.can.includes('link') && (
        <Button
          component={Link}
          to={paths.addToRelease(project.project_id, version)}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} />}
          aria-label={`Add files to ${version}`}
        >
          Add files
        </Button>
      )}
    </Group>
  )
}

/** Longer notes are folded. */
const FOLDED = { lines: 8, characters: 600 }

function ReleaseNotes({ notes, version }: { notes: string; version: string }) {
  const [isOpen, setOpen] = useState(false)

  const beginning = beginningOf(notes)
  const isLong = beginning.length < notes.length

  return (
    <Stack gap={4} align="flex-start">
      <Markdown text={isOpen || !isLong ? notes : beginning} small />
      {isLong && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Show less' : 'Show all notes'} of ${version}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all notes'}
        </Button>
      )}
    </Stack>
  )
}

/** Whole lines, so that the Markdown in them stays what it is; a single long line is cut. */
function beginningOf(notes: string): string {
  const lines = notes.split('\n').slice(0, FOLDED.lines)
  while (lines.length > 1 && lines.join('\n').length > FOLDED.characters) lines.pop()
  const excerpt = lines.join('\n')
  return excerpt.length <= FOLDED.characters
    ? excerpt
    : `${excerpt.slice(0, FOLDED.characters).replace(/[\uD800-\uDBFF]$/, '')}…`
}
