import { Alert, Anchor, Button, Checkbox, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { paths } from '../../paths'
import { FormAlert } from '../../ui/feedback/form-alert'
import { Page } from '../../ui/layout/page'

/** /pair?code=…: a signed-in person lets a terminal (`slipway login`) upload to one project. */
export function PairPage() {
  const [params] = useSearchParams()
  const [code, setCode] = useState(params.get('code') ?? '')
  const { look, answer } = usePairing(code)
  const { data: machine } = look
  return (
    <Page title="Pair a terminal" description="Let another computer upload with a key of its own." width="narrow">
      {answer.isSuccess && machine && (
        <Answered name={machine.name} project={answer.variables.approve ? answer.variables.title : undefined} />
      )}
      {!answer.isSuccess && machine && <Question code={code} machine={machine} answer={answer} />}
      {!machine && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            look.mutate()
          }}
        >
          <Stack gap="md">
            {look.error && <FormAlert text={failureText(look.error, checking)} />}
            <TextInput
              label="Code"
              description="The terminal shows it after “slipway login”."
              placeholder="BCDF-GHJK"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              autoFocus
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
            <Button type="submit" loading={look.isPending} style={{ alignSelf: 'flex-start' }}>
              Continue
            </Button>
          </Stack>
        </form>
      )}
    </Page>
  )
}

const unreachable = 'The host cannot be reached. Check your connection, then try again.'
const checking = { failed: 'The host could not check the code. Try again.', unreachable }
const answering = { failed: 'The host could not save your answer. Try again.', unreachable }

interface Answer {
  approve: boolean
  project_id?: string
  manage?: boolean
  title?: string | undefined
}

function usePairing(code: string) {
  const client = useClient()
  const cache = useQueryClient()
  const look = useMutation({ mutationFn: () => client.pairings.look({ code }) })
  const answer = useMutation({
    mutationFn: ({ title: _, ...answer }: Answer) => client.pairings.answer({ code, ...answer }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  })
  return { look, answer }
}

type Pairing = ReturnType<typeof usePairing>

interface QuestionProps {
  code: string
  machine: NonNullable<Pairing['look']['data']>
  answer: Pairing['answer']
}

function Question({ code, machine, answer }: QuestionProps) {
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link'))
  const [picked, pick] = useState(machine.project_id)
  const [manage, setManage] = useState(false)
  const only = projects?.length === 1 ? projects[0]?.project_id : undefined
  const chosen = picked ?? only ?? null
  const title = projects?.find(({ project_id }) => project_id === chosen)?.title
  return (
    <Stack gap="md">
      {answer.error && <FormAlert text={failureText(answer.error, answering)} />}
      <Text>
        Let <strong>{machine.name}</strong> ({machine.address}) upload to {title ?? 'a project'}? Check that the
        terminal shows <Code>{code.toUpperCase()}</Code>: someone else may have sent you this link.
      </Text>
      {projects?.length === 0 ? (
        <Text>
          You need a project first.{' '}
          <Anchor component={Link} to={paths.projects} inherit underline="always">
            Create a project
          </Anchor>
        </Text>
      ) : (
        <Select
          label="Project"
          description={`The key can read this project and upload to it${manage ? '' : ', and nothing else'}.`}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No project of that name"
          data={projects?.map((project) => ({ value: project.project_id, label: project.title })) ?? []}
          value={chosen}
          onChange={pick}
        />
      )}
      {chosen !== null && (
        <Checkbox
          label="Also promote and withdraw releases"
          description="The key can then also change the page, files and updates of this project."
          checked={manage}
          onChange={({ currentTarget }) => setManage(currentTarget.checked)}
        />
      )}
      <Group gap="xs">
        <Button
          disabled={chosen === null}
          loading={answer.isPending}
          onClick={() => chosen !== null && answer.mutate({ approve: true, project_id: chosen, manage, title })}
        >
          Allow
        </Button>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate({ approve: false })}>
          Deny
        </Button>
      </Group>
    </Stack>
  )
}

function Answered({ name, project }: { name: string; project: string | undefined }) {
  if (project === undefined)
    return (
      <Alert role="status" color="gray" variant="light" icon={<IconInfoCircle />} title={`${name} got no key`}>
        Its terminal has stopped waiting. You can close this page.
      </Alert>
    )
  return (
    <Alert role="status" variant="light" icon={<IconCircleCheck />} title={`${name} can upload to ${project} now`}>
      You can close this page. To stop its uploads, revoke the key on the page{' '}
      <Anchor component={Link} to={paths.apiKeys} inherit underline="always">
        API Keys
      </Anchor>
      .
    </Alert>
  )
}
