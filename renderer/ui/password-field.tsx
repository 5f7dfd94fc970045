import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's password input, which also sets `aria-invalid` for a rejected value. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput aria-invalid={Boolean(props.error) || undefined} {...props} />
}
