import { NativeSelect, TextInput, type TextareaProps } from '@mantine/core'
import type { ComponentType } from 'react'
import type { SettingRow } from '../../../server/contract/host-settings/rows'
import { plainInput } from '../../ui/plain-input'
import { NumberField } from '../../ui/number-field'
import { SwitchField } from '../../ui/plain-switch'
import { allRows, type SettingName } from './setting-rows'

interface SettingFieldProps {
  name: SettingName
  form: { getInputProps(name: string, options?: { type?: 'input' | 'checkbox' }): object }
  /** The settings that the command line has set for this run. */
  overridden?: readonly string[]
  /** The choices in words, where they are not in the table. */
  options?: Readonly<Record<string, string>>
  help?: string
  placeholder?: string
  /** The field of settings with several lines: the page begins without it. */
  Lines?: ComponentType<TextareaProps>
}

/** The field of a setting, as the table of settings describes it. */
export function SettingField({ name, form, overridden = [], Lines, ...own }: SettingFieldProps) {
  const row: SettingRow = allRows[name]
  const { options, help, placeholder, unit } = { ...row, ...own }
  const isFixed = overridden.includes(name)
  const description = isFixed
    ? `Set by ${row.switch ? `--${row.switch[0]}` : 'the command line'} for this run.`
    : help
  const isSwitch = typeof row.default === 'boolean'
  const props = {
    id: name,
    label: row.label,
    disabled: isFixed,
    ...(description !== undefined && { description }),
    ...form.getInputProps(name, { type: isSwitch ? 'checkbox' : 'input' }),
  }
  if (isSwitch) return <SwitchField {...props} />

  if (options) {
    const data = Object.entries(options).map(([value, label]) => ({ value, label }))
    return <NativeSelect data={data} {...props} />
  }

  const text = { autoComplete: 'off', ...(placeholder !== undefined && { placeholder }), ...props }
  if (unit !== undefined) return <NumberField unit={unit} {...text} />
  if (typeof row.default === 'number') return <NumberField {...text} />
  if (Lines && Array.isArray(row.default))
    return <Lines autosize minRows={1} maxRows={6} {...text} />

  const isUrl = [placeholder, row.default].some((value) => String(value).startsWith('https://'))
  const url = isUrl && ({ type: 'url', inputMode: 'url' } as const)
  return <TextInput {...text} {...plainInput} {...url} />
}

interface SettingFieldsProps extends Pick<SettingFieldProps, 'form' | 'overridden'> {
  of: Readonly<Partial<Record<SettingName, SettingRow>>>
}

/** The fields of a group of settings, in the order of the table. */
export const SettingFields = ({ of, ...props }: SettingFieldsProps) =>
  (Object.keys(of) as SettingName[]).map((name) => (
    <SettingField key={name} name={name} {...props} />
  ))
