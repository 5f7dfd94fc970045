import { Code, Group } from '@mantine/core'
import { CopyButton } from '../../../ui/text/copy-button'
import classes from './facts.module.css'

/** An identifier, to compare and to copy. */
export const CopyableCode = ({ value, label }: { value: string; label: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Code className={classes.code}>{value}</Code>
    <CopyButton value={value} label={label} look="icon" />
  </Group>
)
