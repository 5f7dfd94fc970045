import { rem, Text, TextInput, VisuallyHidden, type TextInputProps } from '@mantine/core'

interface NumberFieldProps extends TextInputProps {
  label: string
  /** Stands beside the number: 'MB/s'. */
  unit?: string
}

/** A number as it is typed. Letters are not swallowed: the form says under the field what is wrong with them. */
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

/** The number that a field holds; NaN where it holds none. */
export function numberIn(field: number | string): number {
  return typeof field === 'number' || field.trim() !== '' ? Number(field) : NaN
}
