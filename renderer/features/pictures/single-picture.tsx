import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState, type DragEventHandler } from 'react'
import type { Picture, Project } from '../../../server/contract'
import { DescribePicture } from './describe-picture'
import { PicturePicker } from './picture-picker'
import classes from './pictures.module.css'
import { SentState } from './sent-state'
import { nameOfKind, usePictureActions } from './use-picture-actions'
import type { usePictureQueue } from './use-picture-queue'

interface SinglePictureProps {
  project: Project
  kind: 'icon' | 'cover'
  picture: Picture | null
  queue: ReturnType<typeof usePictureQueue>
  onDrop: DragEventHandler
}

const HINTS = {
  icon: 'Square, 512 pixels or more',
  cover: '1200 × 630 pixels; the rest is cut off',
}

/** The place of the icon or the cover. */
export function SinglePicture({ project, kind, picture, queue, onDrop }: SinglePictureProps) {
  const { remove } = usePictureActions(project.project_id)
  const [describes, setDescribes] = useState(false)

  const sent = queue.sent.find((it) => it.kind === kind)
  const name = nameOfKind[kind]
  const choose = (files: readonly File[]) => queue.add(kind, files.slice(0, 1))

  return (
    <Stack gap={6} className={classes[kind]} onDrop={onDrop} component="section" aria-label={name}>
      <Text fw={600}>{name}</Text>
      <PicturePicker
        label={picture ? `Replace the ${kind}` : `Add ${kind === 'icon' ? 'an icon' : 'a cover'}`}
        onFiles={choose}
      >
        {(open, label) => (
          <>
            <button type="button" className={classes.place} onClick={open} aria-label={label}>
              {picture ? (
                <img
                  src={picture.url}
                  alt=""
                  width={picture.width}
                  height={picture.height}
                  draggable={false}
                />
              ) : (
                <span>{label}</span>
              )}
            </button>
            {sent && (
              <SentState
                sent={sent}
                onRetry={() => queue.retry(sent)}
                onDismiss={() => queue.forget(sent.key)}
              />
            )}
            {!sent && !picture && (
              <Text size="xs" c="dimmed">
                {HINTS[kind]}
              </Text>
            )}
            {!sent && picture && (
              <>
                <Group gap={4}>
                  <Button size="compact-sm" variant="default" onClick={open}>
                    Replace
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove the ${kind}`}
                    onClick={() => remove({ kind, picture })}
                  >
                    Remove
                  </Button>
                </Group>
                {kind === 'cover' && (
                  <Anchor
                    component="button"
                    type="button"
                    size="xs"
                    ta="left"
                    onClick={() => setDescribes(true)}
                  >
                    {picture.alt || 'Add a description'}
                  </Anchor>
                )}
              </>
            )}
          </>
        )}
      </PicturePicker>
      {describes && picture && (
        <DescribePicture
          projectId={project.project_id}
          picture={picture}
          name={`the ${kind}`}
          onClose={() => setDescribes(false)}
        />
      )}
    </Stack>
  )
}
