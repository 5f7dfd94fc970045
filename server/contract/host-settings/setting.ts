import type { z } from 'zod'
import { describe } from '../fields'

/**
 * A setting of the host, with its texts and schema for the contract, `settings.json`, form, docs
 * and command line.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType, Switch extends string = string> {
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
  /** Labels of the choices. */
  options?: Readonly<Record<string, string>>
  /**
   * Unit in the form for a value in bytes or bytes per second; an empty field means no limit. A GB
   * is 1024³ bytes.
   */
  unit?: 'MB' | 'MB/s' | 'GB'
  /**
   * Command-line switch that overrides the setting for one run, without `--`, and its value, such
   * as `N`.
   */
  switch?: readonly [name: Switch, value: string]
}

/** Checks a row of the table, and keeps the type of its schema. */
export const setting = <Schema extends z.ZodType, Switch extends string = never>(
  row: Setting<Schema, Switch>,
): Setting<Schema, Switch> => row

export type Settings<Table extends Record<string, Setting>> = {
  [Name in keyof Table]: z.output<Table[Name]['schema']>
}

function exampleOf({ placeholder, unit, default: usual }: Setting): unknown {
  if (unit !== undefined) return usual ?? 2_000_000
  return placeholder !== undefined && Array.isArray(usual) ? [placeholder] : (placeholder ?? usual)
}

const describeRow = (row: Setting, schema = row.schema): z.ZodType =>
  describe(schema, row.help === undefined ? row.label : `${row.label}. ${row.help}`, exampleOf(row))

/** The schemas of a table, each with its description. */
export const describeSettings = <Table extends Record<string, Setting>>(table: Table) =>
  mapRows(table, (row) => describeRow(row)) as { [Name in keyof Table]: Table[Name]['schema'] }

/** Schema of a table in `settings.json`. A missing setting gets its default. */
export const storedSettings = <Table extends Record<string, Setting>>(table: Table) =>
  mapRows(table, (row) => describeRow(row, row.stored).default(row.default)) as {
    [Name in keyof Table]: z.ZodDefault<Table[Name]['schema']>
  }

const mapRows = (
  table: Readonly<Record<string, Setting>>,
  toSchema: (row: Setting) => z.ZodType,
): unknown => Object.fromEntries(Object.entries(table).map(([name, row]) => [name, toSchema(row)]))
