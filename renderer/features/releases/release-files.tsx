import { Anchor, Badge, Button, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { LinkedFile, Project, Release } from '../../../server/contract'
import { usePublishFile } from '../../lib/hooks/use-publish-file'
import { formatShortQuantity, formatSize, formatWhole } from '../../lib/texts/format'
import { messages } from '../../lib/texts/messages'
import { downloadUrl } from '../../paths'
import { DamagedBadge } from '../../ui/file/damaged-badge'
import { FileName } from '../../ui/file/file-name'
import classes from './releases.module.css'

/** More are folded. */
const SHOWN = 5

export function ReleaseFiles({
  project,
  release: { files, total_files, version },
}: {
  project: Project
  release: Release
}) {
  const [isOpen, setOpen] = useState(false)
  const publish = usePublishFile()
  const visibleFiles = isOpen ? files : files.slice(0, SHOWN)

  return (
    <>
      <ul className={classes.files} aria-label={`Files of ${version}`}>
        {visibleFiles.map((file) => (
          <li key={file.file_id} className={classes.file}>
            <Anchor
              className={classes.name}
              c="inherit"
              href={downloadUrl.project(project.project_id, file.file_id)}
              download
              aria-label={`Download ${file.filename}`}
            >
              <FileName filename={file.filename} icon={file.icon_url} />
            </Anchor>
            {file.is_damaged && <DamagedBadge />}
            {project.is_public && !file.is_public && <Private file={file} onPublish={publish} />}
            <Text size="xs" c="dimmed">
              {formatSize(file.size)} · {downloadsIn(file)}
            </Text>
          </li>
        ))}
      </ul>
      {files.length > SHOWN && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer files' : `Show all ${formatWhole(files.length)} files`}
        </Button>
      )}
      {isOpen && total_files > files.length && (
        <Text size="xs" c="dimmed">
          These are the newest {formatWhole(files.length)} of {formatWhole(total_files)} files.
        </Text>
      )}
    </>
  )
}

const downloadsIn = ({ downloads }: LinkedFile) => formatShortQuantity(downloads, 'download')

function Private({ file, onPublish }: { file: LinkedFile; onPublish: (id: string) => void }) {
  return (
    <>
      <Badge
        color="orange"
        leftSection={<IconLock size={12} />}
        title="Visitors do not see this file"
      >
        Private
      </Badge>
      {file.can.includes('publish') && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${messages.file.makePublic}: ${file.filename}`}
          onClick={() => onPublish(file.file_id)}
        >
          {messages.file.makePublic}
        </Button>
      )}
    </>
  )
}
