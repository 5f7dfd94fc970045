import { Checkbox, Radio, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { Project, Release } from '../../../server/contract'
import { paths } from '../../paths'
import { useAskToShare } from '../../lib/links/only-this-computer'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import type { PublishPlace } from '../uploads/drop/drop-place'
import { HandedOver, ReleaseFields } from '../uploads/form/release-fields'
import { BeforePublish } from '../files/facts/platform-checks'
import { ChosenFile } from './chosen-file'
import classes from './publish.module.css'
import type { PublishForm } from './use-publish-form'
import type { SheetFile } from './use-sheet-files'

interface PublishFieldsProps {
  files: readonly SheetFile[]
  publishing: PublishForm
  place: PublishPlace
  submit: string
  canSubmit: boolean
  onLeaveOut: (file: SheetFile) => void
  onCancel: () => void
}

export function PublishFields(props: PublishFieldsProps) {
  const { files, publishing, place, submit, canSubmit, onLeaveOut, onCancel } = props
  const { form, app, project, projects, audience } = publishing
  const { target, version, platform } = form.values
  const shownVersion = version.trim() || (app.version ?? '')
  const isRead = files.every(
    ({ upload, refusal }) => upload?.stored !== undefined || refusal !== undefined,
  )
  // Without a version in the package, the person can enter one.
  const asksVersion = place.version ? true : isRead && !app.version

  return (
    <FormFrame
      form={form}
      submit={submit}
      button={{ size: 'md', disabled: !canSubmit }}
      onCancel={onCancel}
    >
      <ul className={classes.files} aria-label="Chosen files" tabIndex={-1} data-autofocus>
        {files.map((file, index) => (
          <ChosenFile
            key={index}
            file={file}
            isOnly={files.length === 1}
            place={{ project: project?.project_id, version: shownVersion }}
            onLeaveOut={() => onLeaveOut(file)}
          />
        ))}
      </ul>
      <BeforePublish
        files={files.flatMap(({ upload, file }) =>
          upload?.stored?.facts ? [{ ...upload.stored, filename: file.name }] : [],
        )}
      />
      <TargetSelect form={form} projects={projects} isFixed={place.project !== undefined} />
      <HandedOver project={project} />
      {project && <Newest project={project} releases={audience.releases} />}
      {target === 'new' && <NewProject form={form} />}
      {target === 'none' ? (
        <OwnFileAudience form={form} isPublic={audience.isPublic} count={files.length} />
      ) : (
        <Audience
          form={form}
          project={project}
          isPublic={audience.isPublic}
          isFixed={audience.isFixed}
        />
      )}
      <Reach publishing={publishing} />
      {target !== 'none' && (
        <Disclosure
          label={
            shownVersion === ''
              ? 'Version and platform'
              : `Version ${shownVersion}${platform === '' ? '' : ` for ${platform}`}`
          }
          isOpen={asksVersion}
          hasMistake={form.errors.version !== undefined || form.errors.channel !== undefined}
        >
          <ReleaseFields form={form} projectId={project?.project_id} />
        </Disclosure>
      )}
    </FormFrame>
  )
}

type Form = PublishForm['form']

function TargetSelect({
  form,
  projects,
  isFixed,
}: {
  form: Form
  projects: readonly Project[]
  isFixed: boolean
}) {
  if (isFixed) return null
  const own = projects.map(({ project_id, title }) => ({ value: project_id, label: title }))

  return (
    <Select
      label="Add to project"
      allowDeselect={false}
      searchable={own.length > 5}
      nothingFoundMessage="No project of that name"
      data={[
        { value: 'new', label: 'New project' },
        ...own,
        { value: 'none', label: 'No project' },
      ]}
      value={form.values.target}
      onChange={(target) => {
        form.setFieldValue('target', target ?? 'new')
        // The choice of another project is not that of this one.
        form.setFieldValue('isPublic', undefined)
      }}
    />
  )
}

/** The title of a new project, and its address, which stays. */
function NewProject({ form }: { form: Form }) {
  const { slug } = form.values
  const address = slug === '' ? 'Address: from the title' : `Address: ${paths.publicProject(slug)}`

  return (
    <>
      <TextInput
        label="Title"
        description="The name of its page. Description and pictures can follow later."
        autoComplete="off"
        maxLength={120}
        {...form.getInputProps('title')}
      />
      <Disclosure label={address} hasMistake={form.errors.slug !== undefined}>
        <TextInput
          label="Address"
          description="It cannot change later. Leave empty to make it from the title."
          placeholder="my-app"
          leftSection="/p/"
          leftSectionWidth={40}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          {...form.getInputProps('slug')}
        />
      </Disclosure>
    </>
  )
}

/** What people have until now, so that nobody publishes into a wrong project. */
function Newest({
  project,
  releases,
}: {
  project: Project
  releases: readonly Release[] | undefined
}) {
  if (!releases) return null
  const newest = releases.find(({ state }) => state === 'published')

  return (
    <Text size="xs" c="dimmed">
      {newest
        ? `Newest version of ${project.title} so far: ${newest.version} (${newest.channel})`
        : `${project.title} has no published version yet.`}
    </Text>
  )
}

interface AudienceProps {
  form: Form
  project: Project | undefined
  isPublic: boolean
  isFixed: boolean
}

function Audience({ form, project, isPublic, isFixed }: AudienceProps) {
  const opens = project && !project.is_public ? `Also makes ${project.title} public.` : undefined
  const owner = isFixed
    ? `Only ${project?.owner ?? 'its owner'} can make this project public.`
    : undefined

  return (
    <Radio.Group
      label="Who can open it"
      value={isPublic ? 'anyone' : 'collaborators'}
      onChange={(value) => form.setFieldValue('isPublic', value === 'anyone')}
    >
      <Stack gap="xs" mt={6}>
        <Radio
          value="anyone"
          label="Anyone with the link"
          description={owner ?? opens}
          disabled={isFixed}
        />
        <Radio value="collaborators" label="Only collaborators" />
      </Stack>
    </Radio.Group>
  )
}

function OwnFileAudience({
  form,
  isPublic,
  count,
}: {
  form: Form
  isPublic: boolean
  count: number
}) {
  const them = count > 1 ? 'them' : 'it'

  return (
    <Checkbox
      label={count > 1 ? 'Make these files public' : 'Make this file public'}
      description={
        isPublic
          ? 'Anyone who reaches this host can download what is public.'
          : `Private: only you can download ${them}.`
      }
      checked={isPublic}
      onChange={({ currentTarget }) => form.setFieldValue('isPublic', currentTarget.checked)}
    />
  )
}

/**
 * Where only this computer can open links: the switch of the person who manages the host, or whom
 * to ask.
 */
function Reach({ publishing: { form, audience, reach } }: { publishing: PublishForm }) {
  const ask = useAskToShare()
  if (!audience.isPublic || !reach.isAlone) return null

  if (reach.canShare) {
    return (
      <Switch
        label="Share on this network"
        description="Otherwise only this computer can open the link."
        {...form.getInputProps('shares', { type: 'checkbox' })}
      />
    )
  }

  return (
    <Text size="xs" c="dimmed">
      Only this computer can open the link. {ask}
    </Text>
  )
}
