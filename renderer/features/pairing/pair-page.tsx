import { Alert, Anchor, Button, Checkbox, Code, Text, TextInput } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { ProjectSelect } from '../../lib/forms/project-select'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { NeedsProject } from '../../lib/links/needs-project'
import { paths } from '../../paths'
import { FormFrame } from '../../ui/form-frame'
import { Page } from '../../ui/layout/page'
import { plainInput } from '../../ui/plain-input'

/** /pair?code=…: a signed-in person lets a terminal (`slipway login`) upload to one project. */
export function PairPage() {
  const [params] = useSearchParams()
  const client = useClient()
  const [machine, setMachine] = useState<Machine>()
  const [answer, setAnswer] = useState<{ project: string | undefined }>()
  const form = useApiForm({
    saved: { code: params.get('code') ?? '' },
    send: async ({ code }) => setMachine(await client.pairings.look({ code })),
    failed: explain('The host could not check the code. Try again.'),
  })
  const { code } = form.values

  return (
    <Page
      title="Pair a terminal"
      description="Let another computer upload with a key of its own."
      width="narrow"
    >
      {answer && machine && <Answered name={machine.name} {...answer} />}
      {!answer && machine && (
        <Question code={code} machine={machine} onAnswer={(project) => setAnswer({ project })} />
      )}
      {!machine && (
        <FormFrame form={form} submit="Continue">
          <TextInput
            label="Code"
            description="The terminal shows it after “slipway login”."
            placeholder="BCDF-GHJK"
            {...plainInput}
            autoCapitalize="characters"
            autoFocus
            {...form.getInputProps('code')}
          />
        </FormFrame>
      )}
    </Page>
  )
}

const unreachable = 'The host cannot be reached. Check your connection, then try again.'
const explain = (failed: string) => (cause: unknown) => ({
  text: failureText(cause, { failed, unreachable }),
})

type Machine = Awaited<ReturnType<Client['pairings']['look']>>

interface QuestionProps {
  code: string
  machine: Machine
  /** Gets the title of the chosen project; undefined: denied. */
  onAnswer: (project: string | undefined) => void
}

function Question({ code, machine, onAnswer }: QuestionProps) {
  const client = useClient()
  const cache = useQueryClient()
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link'))
  const only = projects?.length === 1 ? projects[0]?.project_id : undefined

  const answer = async (choice: { approve: boolean; project_id?: string; manage?: boolean }) => {
    await client.pairings.answer({ code, ...choice })
    onAnswer(projects?.find(({ project_id }) => project_id === choice.project_id)?.title)
    await refresh(cache, queryKeys.apiKeys)
  }

  const form = useApiForm({
    saved: { project_id: machine.project_id ?? only ?? null, manage: false },
    send: ({ project_id, manage }) =>
      answer({ approve: true, manage, ...(project_id !== null && { project_id }) }),
    failed: explain('The host could not save your answer. Try again.'),
  })

  const { project_id: chosen, manage } = form.values
  const title = projects?.find(({ project_id }) => project_id === chosen)?.title

  const deny = (
    <Button
      variant="default"
      disabled={form.isSending}
      onClick={() => void form.run(() => answer({ approve: false }))}
    >
      Deny
    </Button>
  )

  return (
    <FormFrame form={form} submit="Allow" button={{ disabled: chosen === null }} end={deny}>
      <Text>
        Let <strong>{machine.name}</strong> ({machine.address}) upload to {title ?? 'a project'}?
        Check that the terminal shows <Code>{code.toUpperCase()}</Code>: someone else may have sent
        you this link.
      </Text>
      {projects?.length === 0 ? (
        <NeedsProject />
      ) : (
        <ProjectSelect
          label="Project"
          placeholder="Choose a project"
          description={
            'The key can read this project and upload to ' +
            `it${manage ? '' : ', and nothing else'}, until you revoke it.`
          }
          allowDeselect={false}
          projects={projects}
          {...form.getInputProps('project_id')}
        />
      )}
      {chosen !== null && (
        <Checkbox
          label="Also promote and withdraw releases"
          description="The key can then also change the page, files and news of this project."
          {...form.getInputProps('manage', { type: 'checkbox' })}
        />
      )}
    </FormFrame>
  )
}

function Answered({ name, project }: { name: string; project: string | undefined }) {
  if (project === undefined)
    return (
      <Alert
        role="status"
        color="gray"
        variant="light"
        icon={<IconInfoCircle />}
        title={`${name} got no key`}
      >
        Its terminal has stopped waiting. You can close this page.
      </Alert>
    )

  return (
    <Alert
      role="status"
      variant="light"
      icon={<IconCircleCheck />}
      title={`${name} can upload to ${project} now`}
    >
      You can close this page. To stop its uploads, revoke the key on the page{' '}
      <Anchor component={Link} to={paths.apiKeys} inherit underline="always">
        API Keys
      </Anchor>
      .
    </Alert>
  )
}
