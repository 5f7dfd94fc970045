import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

/** Shown in place of the form of a one-time link that was used or has expired. */
export const LinkProblem = ({ title, text }: { title: string; text: string }) => (
  <Alert role="alert" variant="light" color="red" icon={<IconAlertTriangle />} title={title}>
    {text}
  </Alert>
)
