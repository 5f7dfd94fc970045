import { Autocomplete, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PLATFORMS, releaseFieldsSchema, type Project } from '../../../../server/contract'
import { useNewestReleases, type ReleaseWish } from './prepare-release'

interface ReleaseFieldsProps {
  /** Undefined for a new project, which has no releases. */
  projectId: string | undefined
  form: {
    values: ReleaseWish
    errors: Partial<Record<string, ReactNode>>
    getInputProps(name: string, options?: { type: 'checkbox' }): object
  }
}

/** The release that files join, and for a new one its channel and state. */
export function ReleaseFields({ projectId, form }: ReleaseFieldsProps) {
  const { version, channel } = form.values
  const versions = useNewestReleases(projectId)?.map((release) => release.version)
  const isNew = version.trim() !== '' && versions?.includes(version.trim()) === false

  return (
    <Stack gap="md">
      <Group grow preventGrowOverflow={false} align="flex-start">
        <Autocomplete
          label="Version"
          description="Optional. Default: the package’s version"
          placeholder="1.4.0"
          maxLength={64}
          autoComplete="off"
          limit={8}
          data={versions ?? []}
          {...form.getInputProps('version')}
        />
        <Autocomplete
          label="Platform"
          description="Optional"
          placeholder="Android"
          maxLength={32}
          data={[...PLATFORMS]}
          {...form.getInputProps('platform')}
        />
      </Group>
      {isNew && (
        <Group grow preventGrowOverflow={false} align="flex-start">
          <Autocomplete
            label="Channel of the new release"
            description="Default: beta for a version such as 1.4.0-rc.1, otherwise stable."
            placeholder="stable"
            maxLength={32}
            data={['stable', 'beta', 'nightly']}
            {...form.getInputProps('channel')}
            error={form.errors.channel ?? mistakeIn(channel)}
          />
          <Checkbox
            label="Keep the new release as a draft"
            description="Only members of the project see it until you publish it."
            {...form.getInputProps('isDraft', { type: 'checkbox' })}
          />
        </Group>
      )}
    </Stack>
  )
}

const mistakeIn = (channel: string): string | undefined =>
  releaseFieldsSchema.shape.channel.safeParse(channel).error?.issues[0]?.message

/** Explains to a maintainer that the owner will own the added files. */
export function HandedOver({ project }: { project: Project | undefined }) {
  if (project?.role !== 'maintainer') return null
  return (
    <Text size="xs" c="dimmed">
      Files that you add belong to {project.owner} and use their storage.
    </Text>
  )
}
