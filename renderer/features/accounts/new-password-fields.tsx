import { Stack } from '@mantine/core'
import type { ComponentProps } from 'react'
import { z } from 'zod'
import { accountTexts } from '../../../server/texts/account-texts'
import { PasswordField } from '../../ui/password-field'
import { PasswordStrength } from './password-strength'

interface Passwords {
  new_password: string
  repetition: string
}

/** Extends the contract's rules for a new password by its repetition. */
export const repeatedPassword = { repetition: z.string() }

/** Whether both passwords are the same. */
export const isRepeated = ({ new_password, repetition }: Passwords) => new_password === repetition

/** The mistake of a repetition that differs. */
export const notRepeated = {
  error: accountTexts.passwordsDiffer,
  path: ['repetition'],
  when: () => true,
}

interface NewPasswordFieldsProps {
  form: {
    values: Passwords
    getInputProps: (name: keyof Passwords) => ComponentProps<typeof PasswordField>
  }
  autoFocus?: boolean
}

/** The fields of a new password and its repetition. */
export const NewPasswordFields = ({ form, autoFocus = false }: NewPasswordFieldsProps) => (
  <>
    <Stack gap={8}>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        autoFocus={autoFocus}
        {...form.getInputProps('new_password')}
      />
      <PasswordStrength password={form.values.new_password} />
    </Stack>
    <PasswordField
      label="Repeat the new password"
      autoComplete="new-password"
      {...form.getInputProps('repetition')}
    />
  </>
)
