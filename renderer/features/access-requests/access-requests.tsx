import { Anchor, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { IconMailQuestion, IconSettings } from '@tabler/icons-react'
import { useRef, useState, type RefObject } from 'react'
import { ACCESS_REQUESTS_MAX, type AccessRequest, type Project } from '../../../server/contract'
import { fillRoute, routes } from '../../../server/contract/routes'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { formatQuantity, formatWhole } from '../../lib/texts/format'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Pager } from '../../ui/table/pager'
import { SelectPage } from '../../ui/table/select-box'
import { SelectionFrame } from '../../ui/table/selection-frame'
import classes from '../../ui/table/selection.module.css'
import { TableSkeleton } from '../../ui/table/skeletons'
import { useSelection, type Selection } from '../../ui/table/use-selection'
import { RequestsTable } from './requests-table'
import { PAGE_SIZE, useAccessRequests, useAnswer } from './use-access-requests'

const AccessSettingsDialog = lazyPage(() => import('./access-settings'), 'AccessSettingsDialog')

type State = AccessRequest['state']
type List = NonNullable<ReturnType<typeof useAccessRequests>['data']>

/** The requests of strangers to test a project, with their answers and settings. */
export function AccessRequests({ project }: { project: Project }) {
  const [{ state, page }, show] = useState<{ state: State; page: number }>({
    state: 'waiting',
    page: 1,
  })
  const requests = useAccessRequests(project.project_id, state, page)
  const dialog = useLateDialog()
  const mayChange = project.can.includes('update')

  // Whoever cannot open the form has no use for an empty list.
  const isUnused = requests.data && isEmpty(requests.data) && !requests.data.settings.is_open
  if (isUnused && !mayChange) return null

  return (
    <Stack component="section" gap="md" aria-labelledby="access-requests">
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 16rem">
          <Title order={2} size="h3" id="access-requests">
            Requests for access
          </Title>
          <Text c="dimmed">
            Let people ask on the project page. Everyone you approve gets a tester link.
          </Text>
        </Stack>
        {mayChange && !isUnused && (
          <Button variant="default" leftSection={<IconSettings size={16} />} onClick={dialog.open}>
            Settings
          </Button>
        )}
      </Group>
      <Loaded
        query={requests}
        title="The requests could not be loaded"
        skeleton={<TableSkeleton rows={2} />}
      >
        {(list) => (
          <>
            {list.settings.is_open && <FormState project={project} list={list} />}
            {isEmpty(list) ? (
              <Nothing isOpen={list.settings.is_open} onOpen={dialog.open} />
            ) : (
              <Requests
                project={project}
                list={list}
                stale={requests.isPlaceholderData}
                {...{ state, page, show }}
              />
            )}
            <AfterFirstView isNeeded={dialog.isNeeded}>
              <AccessSettingsDialog
                project={project}
                saved={list.settings}
                isOpen={dialog.isOpen}
                onClose={dialog.close}
              />
            </AfterFirstView>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const isEmpty = ({ by_state }: List) => by_state.waiting + by_state.declined === 0

/** Where the form is, and how many places are left. */
function FormState({ project, list }: { project: Project; list: List }) {
  const { limit, testers } = list.settings
  const isFull = limit !== null && testers >= limit
  const hasMostWaiting = list.by_state.waiting >= ACCESS_REQUESTS_MAX
  const reason = isFull
    ? 'all places are taken'
    : hasMostWaiting
      ? `${formatQuantity(ACCESS_REQUESTS_MAX, 'request')} wait for an answer, which is the most`
      : 'the project is private'
  const places = limit === null ? formatQuantity(testers, 'tester') : `${testers} of ${limit}`

  return (
    <Text size="sm" c="dimmed">
      {isFull || hasMostWaiting || !project.is_public ? (
        `The form is closed: ${reason}.`
      ) : (
        <>
          The form is{' '}
          <Anchor href={fillRoute(routes.access, { slug: project.slug })} target="_blank">
            open
          </Anchor>
          .
        </>
      )}{' '}
      {limit === null ? `${places} approved.` : `${places} places taken.`}
    </Text>
  )
}

const Nothing = ({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) =>
  isOpen ? (
    <EmptyState
      icon={IconMailQuestion}
      title="No requests yet"
      text="They appear here, and webhooks hear of each."
    />
  ) : (
    <EmptyState
      icon={IconMailQuestion}
      title="The form is closed"
      text="Open it to let people ask for access on the page of the project."
      action={<Button onClick={onOpen}>Open the form</Button>}
    />
  )

interface RequestsProps {
  project: Project
  list: List
  state: State
  page: number
  stale: boolean
  show: (place: { state: State; page: number }) => void
}

function Requests({ project, list, state, page, stale, show }: RequestsProps) {
  const { access_requests: requests, total, by_state } = list
  const all = useRef<HTMLInputElement>(null)
  const selection = useSelection({
    items: requests,
    idOf: ({ request_id }) => request_id,
    page,
    isCurrent: !stale,
  })
  const deselect = (done: readonly AccessRequest[]) => selection.set(done, false)
  const approve = useAnswer(project.project_id, 'approve', deselect)
  const decline = useAnswer(project.project_id, 'decline', deselect)
  const answers = {
    isBusy: approve.isPending || decline.isPending,
    approve: approve.mutate,
    decline: state === 'waiting' ? decline.mutate : undefined,
  }
  const isSelecting = selection.selected.length > 0

  const choices = (['waiting', 'declined'] as const).map((value) => ({
    value,
    label: `${value === 'waiting' ? 'Waiting' : 'Declined'} (${formatWhole(by_state[value])})`,
  }))

  return (
    <Stack gap="md">
      <div className={classes.head} data-selecting={isSelecting || undefined}>
        <SelectPage ref={all} selection={selection} isEmpty={requests.length === 0} />
        <div className={classes.filters} data-behind={isSelecting || undefined}>
          <NativeSelect
            w={180}
            aria-label="State"
            data={choices}
            value={state}
            onChange={({ currentTarget }) => {
              selection.clear()
              show({ state: currentTarget.value as State, page: 1 })
            }}
          />
        </div>
        {isSelecting && <AnswerBar selection={selection} answers={answers} nextFocus={all} />}
      </div>
      {requests.length === 0 ? (
        <Text c="dimmed" ta="center" py="lg">
          {state === 'waiting' ? 'All requests are answered.' : 'No request was declined.'}
        </Text>
      ) : (
        <RequestsTable
          requests={requests}
          stale={stale}
          selection={selection}
          onApprove={(request) => approve.mutate([request])}
          onDecline={state === 'waiting' ? (request) => decline.mutate([request]) : undefined}
        />
      )}
      <Pager
        page={page}
        pageSize={PAGE_SIZE}
        total={total}
        onPage={(next) => show({ state, page: next })}
      />
    </Stack>
  )
}

interface AnswerBarProps {
  selection: Selection<AccessRequest>
  answers: {
    isBusy: boolean
    approve: (requests: readonly AccessRequest[]) => void
    decline: ((requests: readonly AccessRequest[]) => void) | undefined
  }
  nextFocus: RefObject<HTMLInputElement | null>
}

function AnswerBar({ selection, answers, nextFocus }: AnswerBarProps) {
  const { selected } = selection
  const { isBusy, approve, decline } = answers

  return (
    <SelectionFrame
      label="Selected requests"
      summary={formatQuantity(selected.length, 'request')}
      note={isBusy ? 'One moment…' : undefined}
      nextFocus={nextFocus}
      onClear={selection.clear}
    >
      <Button px="sm" onClick={() => isBusy || approve(selected)}>
        Approve
      </Button>
      {decline && (
        <Button variant="default" px="sm" onClick={() => isBusy || decline(selected)}>
          Decline
        </Button>
      )}
    </SelectionFrame>
  )
}
