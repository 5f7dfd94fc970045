import { Group, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { SHORT_DESCRIPTION_MAX } from '../../../server/contract/limits'
import { MarkdownHint } from '../../ui/markdown/markdown-hint'
import { projectLabels } from './project-values'
import type { ProjectForm } from './use-project-form'

export function ProjectFields({ form }: { form: ProjectForm }) {
  const { short_description, is_public } = form.values

  return (
    <>
      <TextInput
        label={projectLabels.title}
        withAsterisk
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('title')}
      />
      <TextInput
        label={
          <CountedLabel
            text={projectLabels.short_description}
            count={short_description.trim().length}
          />
        }
        description="One line, shown where projects are listed"
        autoComplete="off"
        {...form.getInputProps('short_description')}
      />
      <Textarea
        label={projectLabels.description}
        description={
          <>
            What it is, what is new, how to install it. <MarkdownHint />
          </>
        }
        autosize
        minRows={4}
        maxRows={16}
        {...form.getInputProps('description')}
      />
      <TextInput
        label={projectLabels.project_url}
        type="url"
        inputMode="url"
        placeholder="https://"
        {...form.getInputProps('project_url')}
      />
      <Switch
        label={projectLabels.is_public}
        description={
          is_public
            ? 'Anyone who can reach this host can see its page.'
            : 'Only you and collaborators can see this project.'
        }
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
    </>
  )
}

function CountedLabel({ text, count }: { text: string; count: number }) {
  const isOver = count > SHORT_DESCRIPTION_MAX
  return (
    <Group component="span" gap="xs" display="inline-flex">
      {text}
      <Text component="span" size="xs" c={isOver ? 'var(--mantine-color-error)' : 'dimmed'}>
        {count} / {SHORT_DESCRIPTION_MAX}
      </Text>
    </Group>
  )
}
