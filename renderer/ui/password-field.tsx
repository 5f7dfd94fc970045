import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** The kit's password input, which also tells assistive technology that what is in it was refused. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={Boolean(props.error) || undefined} {...props} />
}
