import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import {
  IconArrowLeft,
  IconArrowRight,
  IconReplace,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useRef, useState, type DragEvent } from 'react'
import type { Picture, Project } from '../../../server/contract'
import { SCREENSHOTS_MAX } from '../../../server/contract/limits'
import { DescribePicture } from './describe-picture'
import { PicturePicker } from './picture-picker'
import classes from './pictures.module.css'
import { SentState } from './sent-state'
import { usePictureActions } from './use-picture-actions'
import type { usePictureQueue } from './use-picture-queue'

interface ScreenshotsProps {
  project: Project
  screenshots: readonly Picture[]
  queue: ReturnType<typeof usePictureQueue>
  /** Announces a screenshot's new position to screen readers. */
  announce: (text: string) => void
}

/** The screenshots in their order, which dragging and buttons change. */
export function Screenshots({
  project: { project_id },
  screenshots,
  queue,
  announce,
}: ScreenshotsProps) {
  const { order, remove, clear, isClearing } = usePictureActions(project_id)
  const [place, setPlace] = useState<number>()
  const { list, keepFocus } = useKeptFocus(screenshots)

  const sent = queue.sent.filter(({ kind }) => kind === 'screenshot')
  const added = sent.filter((it) => it.error === undefined && it.replaces === undefined)
  const room = SCREENSHOTS_MAX - screenshots.length - added.length

  const move = (from: number, to: number) => {
    const picture = screenshots[from]
    if (!picture || from === to || to < 0 || to >= screenshots.length) return
    order(screenshots.toSpliced(from, 1).toSpliced(to, 0, picture))
    announce(`Screenshot ${from + 1} is now ${to + 1} of ${screenshots.length}`)
  }

  const drag = useDrag(move)
  const inDialog = place === undefined ? undefined : screenshots[place]

  return (
    <Stack gap={6} component="section" aria-label="Screenshots">
      <Group justify="space-between">
        <Text fw={600}>Screenshots</Text>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {screenshots.length} of {SCREENSHOTS_MAX}
          </Text>
          {screenshots.length > 1 && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              loading={isClearing}
              onClick={() => clear(screenshots)}
            >
              Remove all
            </Button>
          )}
        </Group>
      </Group>
      <ul className={classes.grid} ref={list}>
        {screenshots.map((picture, at) => (
          <li key={picture.picture_id} className={classes.screenshot} {...drag(at)}>
            <Screenshot
              picture={picture}
              place={at}
              isLast={at === screenshots.length - 1}
              onDescribe={() => setPlace(at)}
              onMove={(by, button) => {
                keepFocus(button)
                move(at, at + by)
              }}
              onReplace={(files) => queue.add('screenshot', files.slice(0, 1), picture.picture_id)}
              onRemove={() => remove({ kind: 'screenshot', picture })}
            />
          </li>
        ))}
        {sent.map((it) => (
          <li key={it.key} className={classes.screenshot}>
            <SentState
              sent={it}
              onRetry={() => queue.retry(it)}
              onDismiss={() => queue.forget(it.key)}
            />
          </li>
        ))}
        {room > 0 && (
          <li className={classes.screenshot}>
            <PicturePicker
              label="Add screenshots"
              multiple
              onFiles={(files) => queue.add('screenshot', files)}
            >
              {(open, label) => (
                <button type="button" className={classes.place} onClick={open}>
                  {label}
                </button>
              )}
            </PicturePicker>
          </li>
        )}
      </ul>
      {inDialog && (
        <DescribePicture
          projectId={project_id}
          picture={inDialog}
          name={`screenshot ${(place ?? 0) + 1}`}
          onClose={() => setPlace(undefined)}
        />
      )}
    </Stack>
  )
}

interface ScreenshotProps {
  picture: Picture
  place: number
  isLast: boolean
  onDescribe: () => void
  /** `by`: -1 or 1. */
  onMove: (by: number, button: HTMLElement) => void
  onReplace: (files: readonly File[]) => void
  onRemove: () => void
}

function Screenshot({
  picture,
  place,
  isLast,
  onDescribe,
  onMove,
  onReplace,
  onRemove,
}: ScreenshotProps) {
  const name = `screenshot ${place + 1}`

  return (
    <>
      <img
        src={(picture.sizes.find(({ width }) => width >= 360) ?? picture).url}
        // The button below says it.
        alt=""
        style={{ background: picture.color }}
        draggable={false}
      />
      <Anchor component="button" type="button" size="xs" ta="left" onClick={onDescribe}>
        {picture.alt || 'Add a description'}
      </Anchor>
      <Group gap={0} justify="space-between">
        <span>
          <Act
            icon={IconArrowLeft}
            label={`Move ${name} earlier`}
            isOff={place === 0}
            onClick={(it) => onMove(-1, it)}
          />
          <Act
            icon={IconArrowRight}
            label={`Move ${name} later`}
            isOff={isLast}
            onClick={(it) => onMove(1, it)}
          />
        </span>
        <span>
          <PicturePicker label={`Replace ${name}`} onFiles={onReplace}>
            {(open, label) => <Act icon={IconReplace} label={label} onClick={open} />}
          </PicturePicker>
          <Act icon={IconTrash} label={`Remove ${name}`} onClick={onRemove} />
        </span>
      </Group>
    </>
  )
}

/** Lets a screenshot be dragged to the place of another. Dragged files are none of its business. */
function useDrag(move: (from: number, to: number) => void) {
  const dragged = useRef<number>(undefined)

  return (place: number) => ({
    draggable: true,
    onDragStart({ dataTransfer }: DragEvent) {
      dragged.current = place
      dataTransfer.effectAllowed = 'move'
      dataTransfer.setData('text/x-screenshot', String(place))
    },
    onDragOver(event: DragEvent) {
      if (dragged.current !== undefined) event.preventDefault()
    },
    onDrop(event: DragEvent) {
      if (dragged.current === undefined) return
      event.preventDefault()
      move(dragged.current, place)
    },
    onDragEnd: () => (dragged.current = undefined),
  })
}

interface ActProps {
  icon: Icon
  label: string
  isOff?: boolean
  onClick: (button: HTMLElement) => void
}

/**
 * Stays in reach of the keyboard where it does nothing, or the focus would be lost at the end of
 * the row.
 */
function Act({ icon: Picture, label, isOff = false, onClick }: ActProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      // Four fit below a picture.
      size={28}
      title={label}
      aria-label={label}
      aria-disabled={isOff}
      style={{ opacity: isOff ? 0.35 : undefined }}
      onClick={({ currentTarget }) => {
        if (!isOff) onClick(currentTarget)
      }}
    >
      <Picture size={18} />
    </ActionIcon>
  )
}

/**
 * A browser takes the focus from an element that moves: returns it after the next change of the
 * order.
 */
function useKeptFocus(screenshots: readonly Picture[]) {
  const list = useRef<HTMLUListElement>(null)
  const focused = useRef<HTMLElement>(undefined)
  useEffect(() => {
    focused.current?.focus()
    focused.current = undefined
  }, [screenshots])
  return { list, keepFocus: (button: HTMLElement) => (focused.current = button) }
}
