import { Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { publisherFieldsSchema } from '../../../server/contract'
import {
  defaultIssuers,
  type PublisherProvider,
} from '../../../server/contract/projects/trusted-publishers'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { useAddPublisher } from './use-publishers'

interface PublisherDialogProps {
  projectId: string
  isOpen: boolean
  onClose: () => void
}

type Part = 'branch' | 'tag' | 'environment'

interface Values {
  provider: PublisherProvider
  issuer: string
  repository: string
  part: Part
  branch: string
  tag: string
  environment: string
}

const BLANK: Values = {
  provider: 'github',
  issuer: defaultIssuers.github,
  repository: '',
  part: 'tag',
  branch: '',
  tag: 'v*',
  environment: '',
}

const providers = [
  { value: 'github', label: 'GitHub, Forgejo, Gitea' },
  { value: 'gitlab', label: 'GitLab' },
]

const parts: Readonly<Record<Part, { label: string; help: string; placeholder: string }>> = {
  branch: { label: 'A branch', help: 'The name of the branch.', placeholder: 'main' },
  tag: { label: 'Tags', help: 'A final * stands for anything.', placeholder: 'v*' },
  environment: {
    label: 'An environment',
    help: 'As the workflow names it. The forge can ask people before it runs.',
    placeholder: 'release',
  },
}

/** Trusts the jobs of a repository. */
export function PublisherDialog({ projectId, isOpen, onClose }: PublisherDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} returnFocus={false} title="Add trusted publisher">
      <PublisherForm projectId={projectId} onClose={onClose} />
    </Modal>
  )
}

function PublisherForm({ projectId, onClose }: Omit<PublisherDialogProps, 'isOpen'>) {
  const add = useAddPublisher(projectId)

  const form = useApiForm({
    saved: BLANK,
    schema: publisherFieldsSchema,
    toInput: ({ provider, issuer, repository, part, ...values }) => ({
      ...{ provider, issuer, repository },
      [part]: values[part],
    }),
    send: async (fields) => {
      await add(fields)
      onClose()
    },
    failed: 'Failed to add trusted publisher',
  })

  const { provider, issuer, part } = form.values
  const choose = (next: PublisherProvider) => {
    if (issuer === defaultIssuers[provider]) form.setFieldValue('issuer', defaultIssuers[next])
    form.setFieldValue('provider', next)
  }

  return (
    <FormFrame form={form} submit="Add trusted publisher" onCancel={onClose}>
      <Text size="sm" c="dimmed">
        Jobs of the repository get a key for 15 minutes that may only upload to this project.
      </Text>
      <NativeSelect
        label="Forge"
        data={providers}
        data-autofocus
        {...form.getInputProps('provider')}
        onChange={({ currentTarget }) => choose(currentTarget.value as PublisherProvider)}
      />
      <TextInput
        label="Issuer of its tokens"
        description="The address of your own server, if you run one."
        type="url"
        inputMode="url"
        withAsterisk
        {...plainInput}
        {...form.getInputProps('issuer')}
      />
      <TextInput
        label="Repository"
        placeholder="lea/lantern"
        withAsterisk
        {...plainInput}
        {...form.getInputProps('repository')}
      />
      <NativeSelect
        label="Only jobs of"
        data={Object.entries(parts).map(([value, { label }]) => ({ value, label }))}
        {...form.getInputProps('part')}
      />
      <TextInput
        key={part}
        label="Name"
        description={parts[part].help}
        placeholder={parts[part].placeholder}
        withAsterisk
        {...plainInput}
        {...form.getInputProps(part)}
      />
    </FormFrame>
  )
}
