import { rem, Text, TextInput, VisuallyHidden, type TextInputProps } from '@mantine/core'

interface NumberFieldProps extends TextInputProps {
  label: string
  /** Shown beside the number: 'MB/s'. */
  unit?: string
}

/** Keeps letters in the field, so that the form can explain the mistake. */
export function NumberField({ label, unit, ...props }: NumberFieldProps) {
  return (
    <TextInput
      label={
        unit === undefined ? (
          label
        ) : (
          <>
            {label}
            <VisuallyHidden component="span"> in {unit}</VisuallyHidden>
          </>
        )
      }
      inputMode="decimal"
      autoComplete="off"
      rightSectionPointerEvents="none"
      {...(unit !== undefined && {
        rightSection: (
          <Text size="sm" c="dimmed" aria-hidden>
            {unit}
          </Text>
        ),
        rightSectionWidth: 64,
      })}
      styles={{ wrapper: { maxWidth: rem(240) } }}
      {...props}
    />
  )
}

/** A number that may be left empty. */
export const LimitField = (props: NumberFieldProps) => (
  <NumberField placeholder="No limit" inputMode="numeric" {...props} />
)

/** The text of such a field. */
export const limitText = (limit: number | null | undefined): string => limit?.toString() ?? ''

/** The number in such a field, or null. */
export const limitIn = (field: number | string): number | null =>
  String(field).trim() === '' ? null : numberIn(field)

export function numberIn(field: number | string): number {
  return typeof field === 'number' || field.trim() !== '' ? Number(field) : NaN
}
