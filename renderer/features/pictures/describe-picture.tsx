import { Image, Modal, Textarea } from '@mantine/core'
import { PICTURE_ALT_MAX, type Picture } from '../../../server/contract'
import { pictureAltSchema } from '../../../server/contract/projects/pictures'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'

interface DescribePictureProps {
  projectId: string
  picture: Picture
  /** Such as `Screenshot 2`. */
  name: string
  onClose: () => void
}

/** Edits the text description of a picture. */
export function DescribePicture({ projectId, picture, name, onClose }: DescribePictureProps) {
  const { mutateAsync } = useCall(
    (client, alt: string) =>
      client.pictures.update({ id: projectId, pictureId: picture.picture_id, alt }),
    { done: 'Description saved', refresh: [queryKeys.projects.all] },
  )

  const form = useApiForm({
    saved: { alt: picture.alt },
    schema: pictureAltSchema,
    failed: 'The description could not be saved',
    send: async ({ alt }) => {
      await mutateAsync(alt)
      onClose()
    },
  })

  return (
    <Modal opened onClose={onClose} title={`Describe ${name}`} size="lg">
      <FormFrame form={form} submit="Save" onCancel={onClose}>
        <Image src={picture.url} alt={picture.alt} mah="40vh" fit="contain" radius="sm" />
        <Textarea
          label="Description"
          description="For people who cannot see the picture, and for search engines"
          placeholder="The reading light at night, half as bright"
          maxLength={PICTURE_ALT_MAX}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('alt')}
        />
      </FormFrame>
    </Modal>
  )
}
