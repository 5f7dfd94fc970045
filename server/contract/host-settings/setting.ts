import type { z } from 'zod'
import { describe } from '../fields'

/** A setting of the host: everything that contract, `settings.json`, form, docs and command line say about it. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  /** The value at the first start. */
  default: z.output<Schema>
  /** Values that `settings.json` may contain beyond `schema`. */
  stored?: z.ZodType<z.output<Schema>>
  /** A noun, or a sentence for a switch. */
  label: string
  /** One or two short sentences below the field. */
  help?: string
  placeholder?: string
  /** The choices of a list, in words. */
  options?: Readonly<Record<string, string>>
  /** Bytes per second in words: the form takes this unit, and empty for no limit. */
  unit?: 'MB/s'
  /** The switch that overrides the setting for one run, without `--`. */
  switch?: string
}

/** Checks a row of the table, and keeps the type of its schema. */
export const setting = <Schema extends z.ZodType>(row: Setting<Schema>): Setting<Schema> => row

export type Settings<Table extends Record<string, Setting>> = {
  [Name in keyof Table]: z.output<Table[Name]['schema']>
}

function exampleOf({ placeholder, unit, default: usual }: Setting): unknown {
  if (unit !== undefined) return 2_000_000
  return placeholder !== undefined && Array.isArray(usual) ? [placeholder] : (placeholder ?? usual)
}

/** The schemas of a table, each with its description. */
export function describeSettings<Table extends Record<string, Setting>>(table: Table) {
  const entries = Object.entries(table).map(([name, row]) => {
    const { schema, label, help } = row
    return [name, describe(schema, help === undefined ? label : `${label}. ${help}`, exampleOf(row))] as const
  })
  return Object.fromEntries(entries) as { [Name in keyof Table]: Table[Name]['schema'] }
}
