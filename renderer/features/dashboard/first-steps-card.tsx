import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { useHost } from '../../lib/host/host'
import { limitWords } from '../../lib/texts/format'
import { paths } from '../../paths'
import { CreateProject } from '../projects/create-project'
import { chooseFiles } from '../uploads/drop/drop-place'
import type { Step } from './first-steps'
import { useCopiedOnce } from './use-copied-once'

interface FirstStepsProps {
  steps: readonly Step[]
  project: Project | undefined
}

const wordsOf = (largest: number): Record<Step, { title: string; text: string }> => ({
  upload: {
    title: 'Publish a file',
    text:
      `Drop a build, an archive, anything up to ${limitWords(largest)} anywhere in this ` +
      'window, and get its link.',
  },
  create: { title: 'Create a project', text: 'A page for your visitors, with downloads and news.' },
  share: {
    title: 'Share your project',
    text: 'Send its address to the people who should download.',
  },
})

export function FirstSteps({ steps, project }: FirstStepsProps) {
  const words = wordsOf(useHost().largest_file)

  return (
    <Card component="section" aria-labelledby="first-steps">
      <Title order={2} size="h3" id="first-steps" mb="md">
        {steps.length === 3 ? 'Three steps to your first release' : 'Next steps'}
      </Title>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <Group component="li" key={step} justify="space-between" gap="sm">
            <Stack gap={0} flex="1 1 14rem">
              <Text fw={600}>{words[step].title}</Text>
              <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {step === 'share' && project
                  ? `Send the address of ${project.title} to the people who should download.`
                  : words[step].text}
              </Text>
            </Stack>
            <StepAction step={step} project={project} isFirst={step === steps[0]} />
          </Group>
        ))}
      </Stack>
    </Card>
  )
}

function StepAction({
  step,
  project,
  isFirst,
}: {
  step: Step
  project: Project | undefined
  isFirst: boolean
}) {
  const variant = isFirst ? 'filled' : 'default'
  if (step === 'upload') {
    return (
      <Button variant={variant} onClick={chooseFiles}>
        Choose a file
      </Button>
    )
  }
  if (step === 'create') return <CreateProject variant={variant} />
  return <ShareAction project={project} variant={variant} />
}

function ShareAction({
  project,
  variant,
}: {
  project: Project | undefined
  variant: 'filled' | 'default'
}) {
  const { copy } = useCopiedOnce()

  if (!project) return null
  if (!project.is_public) {
    return (
      <Button component={Link} to={paths.projectSettings(project.project_id)} variant={variant}>
        Make it public
      </Button>
    )
  }

  return (
    <Button variant={variant} onClick={() => copy(paths.publicProject(project.slug))}>
      Copy link
    </Button>
  )
}
