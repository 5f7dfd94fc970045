import { Button, Checkbox, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { IconFolderOpen } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Watch } from '../../../server/contract'
import { FormFrame } from '../../ui/form-frame'
import { useWatchForm } from './use-watch-form'

interface WatchFormProps {
  projectId: string
  watch: Watch | undefined
  onDone: () => void
}

export function WatchForm({ projectId, watch, onDone }: WatchFormProps) {
  const { form, choose, folder, isMore } = useWatchForm({
    projectId,
    saved: watch,
    onSaved: onDone,
  })

  return (
    <FormFrame
      form={form}
      submit={watch === undefined ? 'Watch this folder' : 'Save changes'}
      onCancel={onDone}
    >
      <Folder path={folder} error={form.errors.folder} onChoose={() => void choose()} />
      <Checkbox
        label="Include subfolders"
        description="Up to eight levels. Hidden folders and links are ignored."
        {...form.getInputProps('include_below', { type: 'checkbox' })}
      />
      <TextInput
        label="File names"
        description="For example *.apk, *.aab. Slipway waits until a build is completely written."
        autoComplete="off"
        {...form.getInputProps('pattern')}
      />
      <Radio.Group
        label="The version of a build comes from"
        {...form.getInputProps('version_from')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="package"
            label="The package"
            description="Read from APK, IPA, EXE and zipped macOS apps. Other files use their name."
          />
          <Radio
            value="name"
            label="Its name"
            description="1.4.2 in rocket-1.4.2.apk. Without one, the package is used."
          />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="A new build is"
        value={form.values.is_public ? 'public' : 'private'}
        onChange={(value) => form.setFieldValue('is_public', value === 'public')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="private"
            label="Kept private"
            description="You can make it public here later."
          />
          <Radio
            value="public"
            label="Public immediately"
            description="Everyone who can reach this host can download it."
          />
        </Stack>
      </Radio.Group>
      {isMore && (
        <Checkbox
          label="Include existing files"
          description="Otherwise only new and changed files are published."
          {...form.getInputProps('include_existing', { type: 'checkbox' })}
        />
      )}
    </FormFrame>
  )
}

interface FolderProps {
  path: string | undefined
  error: ReactNode
  onChoose: () => void
}

/** A page cannot name a folder, so the person chooses it in the system's dialog. */
function Folder({ path, error, onChoose }: FolderProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        label="Folder"
        autosize
        placeholder="No folder chosen"
        readOnly
        value={path ?? ''}
        title={path}
        error={error}
        w="100%"
      />
      <Button
        variant="default"
        leftSection={<IconFolderOpen size={16} />}
        onClick={onChoose}
        data-autofocus
      >
        {path === undefined ? 'Choose folder' : 'Choose another folder'}
      </Button>
    </Stack>
  )
}
