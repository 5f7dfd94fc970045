import { Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useRef, useState, type DragEvent } from 'react'
import type { PictureKind, Project } from '../../../server/contract'
import { useWindowDrag } from '../uploads/drop/drop-anywhere'
import { useDropTarget } from '../uploads/drop/drop-place'
import classes from './pictures.module.css'
import { Screenshots } from './screenshots'
import { SinglePicture } from './single-picture'
import { usePictureQueue } from './use-picture-queue'

/** Edits the icon, cover and screenshots of a project. */
export function PicturesSection({ project }: { project: Project }) {
  const queue = usePictureQueue(project)
  const [message, setMessage] = useState('')
  const aimAt = useDrops(queue.add)
  const isDragging = useWindowDrag()
  const { icon, cover, screenshots } = project.pictures

  return (
    <Stack gap="md">
      <Text c="dimmed">
        What visitors and link previews show of this project. PNG, JPEG, WebP or AVIF, up to 10 MB
        each. Places and other data in the files are removed.
      </Text>
      <Group align="flex-start" gap="lg" className={classes.singles} data-dragging={isDragging}>
        <SinglePicture
          project={project}
          kind="icon"
          picture={icon}
          queue={queue}
          onDrop={aimAt('icon')}
        />
        <SinglePicture
          project={project}
          kind="cover"
          picture={cover}
          queue={queue}
          onDrop={aimAt('cover')}
        />
      </Group>
      <Screenshots
        project={project}
        screenshots={screenshots}
        queue={queue}
        announce={setMessage}
      />
      <VisuallyHidden role="status">{message}</VisuallyHidden>
    </Stack>
  )
}

/**
 * Takes files that are dropped on the page: those on the place of the icon or cover for it, all
 * others as screenshots.
 */
function useDrops(add: (kind: PictureKind, files: readonly File[]) => void) {
  const aim = useRef<PictureKind>('screenshot')
  useDropTarget('Drop screenshots, or an icon or a cover on its place', (sources) => {
    const kind = aim.current
    aim.current = 'screenshot'
    const files = sources.filter((source) => source instanceof File)
    add(kind, kind === 'screenshot' ? files : files.slice(0, 1))
  })

  // React gets the drop before the window, which delivers it.
  return (kind: PictureKind) => (_event: DragEvent) => {
    aim.current = kind
  }
}
