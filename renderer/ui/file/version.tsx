import { Code, Text } from '@mantine/core'
import classes from './version.module.css'

interface VersionProps {
  version: string | null
  unknown?: string
  hint?: string
}

export function Version({ version, unknown, hint }: VersionProps) {
  if (version !== null) {
    return (
      <Code title={version} className={classes.version}>
        {version}
      </Code>
    )
  }
  if (unknown === undefined) return null

  return (
    <Text component="span" inherit c="dimmed" title={hint}>
      {unknown}
    </Text>
  )
}
