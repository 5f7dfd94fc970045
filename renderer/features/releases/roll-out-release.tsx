import { Button, Group, Modal, NumberInput, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Project, Release } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { useApiForm } from '../../lib/forms/use-api-form'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'
import { useHolders } from './holders'
import { refreshReleases } from './use-release-actions'

/** The next steps that a person usually takes, in percent. */
const STEPS = [5, 10, 25, 50, 100]

/** Asks how many apps take a release by themselves. */
export function RollOutRelease({
  project: { project_id },
  release: { version, rollout },
  onClose,
}: {
  project: Project
  release: Release
  onClose: () => void
}) {
  const holders = useHolders(project_id, version)
  const client = useClient()
  const cache = useQueryClient()
  const form = useApiForm<{ rollout: number | string }>({
    saved: { rollout },
    findMistakes: ({ rollout: percentage }) =>
      percentage === '' ? { rollout: 'Choose 1 to 100 percent' } : {},
    send: async (values) => {
      const { release } = await client.releases.update({
        id: project_id,
        version,
        rollout: Number(values.rollout),
      })

      await refreshReleases(cache)
      notifySuccess(
        release.rollout === 100
          ? `${version} is for everyone`
          : `${version} is for ${release.rollout} %`,
      )
      onClose()
    },
    failed: 'The rollout could not be changed',
  })

  return (
    <Modal opened onClose={onClose} title={`Staged rollout of ${version}`} returnFocus={false}>
      <FormFrame form={form} submit="Save" onCancel={onClose}>
        <Text size="sm">
          Apps with electron-updater take the release only if they are in this share. Pages, links
          and package managers offer it to everyone. {holders}
        </Text>
        <NumberInput
          label="Share of the apps"
          suffix=" %"
          min={1}
          max={100}
          allowDecimal={false}
          data-autofocus
          {...form.getInputProps('rollout')}
        />
        <Group gap="xs">
          {STEPS.map((step) => (
            <Button
              key={step}
              size="xs"
              variant="default"
              onClick={() => form.setFieldValue('rollout', step)}
            >
              {step === 100 ? 'Everyone' : `${step} %`}
            </Button>
          ))}
        </Group>
      </FormFrame>
    </Modal>
  )
}
