import { Stack, Text } from '@mantine/core'
import { Disclosure } from '../../ui/layout/disclosure'
import { Warning } from '../../ui/feedback/warning'
import classes from './data.module.css'
import { useBackups } from './use-backups'

/** How many are listed at first. */
const FEW = 5
/** The name of a file on the disk, which only `slipway verify` and the log need. */
const BLOB = / \(blob [0-9a-f]+\)$/

export function DamagedFilesNotice() {
  const { data } = useBackups()
  return data ? <DamagedFiles damaged={data.damaged} /> : null
}

/** The files that the newest backup or the daily reading found damaged, a sentence each. */
export function DamagedFiles({ damaged }: { damaged: readonly string[] }) {
  if (damaged.length === 0) return null

  return (
    <Warning title="Damaged files">
      <Stack gap="xs">
        <Text>
          The stored bytes of these files are missing or have changed since the upload. Upload them
          again, or restore an older backup.
        </Text>
        <FileList files={damaged.slice(0, FEW)} />
        {damaged.length > FEW && (
          <Disclosure label={`Show ${damaged.length - FEW} more`}>
            <FileList files={damaged.slice(FEW)} />
          </Disclosure>
        )}
      </Stack>
    </Warning>
  )
}

const FileList = ({ files }: { files: readonly string[] }) => (
  <ul className={classes.damaged}>
    {files.map((file) => (
      <li key={file}>{file.replace(BLOB, '')}</li>
    ))}
  </ul>
)
