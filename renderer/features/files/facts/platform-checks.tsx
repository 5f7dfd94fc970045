import { Stack, Text } from '@mantine/core'
import type { PlatformCheck } from '../../../../server/contract/files/platform-checks'
import { asOfWords } from '../../../../server/texts/platform-checks'
import { Disclosure } from '../../../ui/layout/disclosure'
import { CopyableCode } from './copyable-code'
import classes from './facts.module.css'
import { useFacts } from './use-facts'

/** What systems ask before they install a build, and what its publisher can do. */
function PlatformChecks({ checks }: { checks: readonly PlatformCheck[] }) {
  const [oldest = ''] = checks.map(({ as_of }) => as_of).toSorted()

  return (
    <Stack component="ul" gap="md" className={classes.checks ?? ''} aria-label="Before you publish">
      {checks.map(({ code, title, visitors_see, you_do, values }) => (
        <Stack key={code} component="li" gap={4}>
          <Text fw={600}>{title}</Text>
          <Text>
            <b>Your visitors:</b> {visitors_see}
          </Text>
          <Text>
            <b>What you can do:</b> {you_do}
          </Text>
          {values.map(({ label, value }) => (
            <div key={label}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <CopyableCode value={value} label={`Copy: ${label}`} />
            </div>
          ))}
        </Stack>
      ))}
      <Text component="li" size="xs" c="dimmed">
        {asOfWords(oldest)}. The rules are those of the makers of the systems.
      </Text>
    </Stack>
  )
}

/** More files than these are not asked about. */
const MOST_FILES = 5

interface BeforePublishProps {
  /** Files with facts of a package. */
  files: readonly { file_id: string; filename: string }[]
}

/** One folded line for each file whose installation some system may stop. */
export const BeforePublish = ({ files }: BeforePublishProps) =>
  files
    .slice(0, MOST_FILES)
    .map((file) => <FoldedChecks key={file.file_id} file={file} isOnly={files.length === 1} />)

interface FoldedChecksProps {
  file: BeforePublishProps['files'][number]
  isOnly: boolean
}

/** Nothing while it loads, or if nothing is known: the list is advice. */
function FoldedChecks({ file: { file_id, filename }, isOnly }: FoldedChecksProps) {
  const checks = useFacts(file_id).data?.platform_checks ?? []
  if (checks.length === 0) return null

  const titles = checks.map(({ title }) => title).join(', ')
  return (
    <Disclosure label={`Before you publish${isOnly ? '' : ` ${filename}`}: ${titles}`}>
      <PlatformChecks checks={checks} />
    </Disclosure>
  )
}
