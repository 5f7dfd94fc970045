import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { platformOf, type LinkedFile, type Project } from '../../../../server/contract'
import { formatSize } from '../../../lib/words/format'
import { visitorPlatform } from '../../../../server/contract/visitor/visitor-platform'
import { downloadUrl } from '../../../paths'
import { Disclosure } from '../../../ui/layout/disclosure'
import { FileIcon } from '../../../ui/file/file-icon'
import { MiddleEllipsis } from '../../../ui/text/middle-ellipsis'
import { Time } from '../../../ui/text/time'
import { CheckFile } from './check-file'
import { installNote } from '../../../../server/contract/visitor/install-notes'
import classes from '../project.module.css'

interface PrimaryDownloadProps {
  project: Project
  file: LinkedFile
  fits: boolean
}

export function PrimaryDownload({ project, file, fits }: PrimaryDownloadProps) {
  const platform = platformOf(file)
  const note = installNote(file)
  return (
    <section className={classes.primary} aria-label="Download">
      <div className={classes.file}>
        <FileIcon filename={file.filename} size={32} />
        <div className={classes.fileNames}>
          <Text fw={600} size="md">
            <MiddleEllipsis text={file.filename} />
          </Text>
          <div className={classes.meta}>
            {file.version !== null && <span>Version {file.version}</span>}
            <span>{formatSize(file.size)}</span>
            <Time value={file.added_at} inSentence />
          </div>
        </div>
      </div>
      <div className={classes.action}>
        <Button
          component="a"
          href={downloadUrl.project(project.project_id, file.file_id)}
          download={file.filename}
          size="lg"
          fz="md"
          fullWidth
          leftSection={<IconDownload size={20} />}
        >
          {platform ? `Download for ${platform}` : 'Download'}
        </Button>
      </div>
      {!fits && <Mismatch platform={platform} />}
      {note && (
        <Disclosure label={note.title}>
          <ol style={{ margin: 0, paddingInlineStart: 20 }}>
            {note.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Disclosure>
      )}
      <CheckFile project={project} file={file} />
    </section>
  )
}

function Mismatch({ platform }: { platform: string | undefined }) {
  const device = visitorPlatform(navigator.userAgent, navigator.maxTouchPoints)
  return (
    <Text c="dimmed">
      There is no file for {device} here. This one is {platform ? `for ${platform}` : 'for another device'}.
    </Text>
  )
}
