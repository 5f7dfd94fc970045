import { useForm, type UseFormReturnType } from '@mantine/form'
import { useEffect, useEffectEvent, useId, useRef, useState, type SyntheticEvent } from 'react'
import type { z } from 'zod'
import { failureField, failureText } from '../client/failure'
import { useSession } from '../session/session'

interface Failure {
  text: string
  /** An action that solves it. */
  detail?: string | undefined
}

interface ApiFormOptions<Values, Input> {
  /** Values on the host, or blanks. Fields without edits follow them. */
  saved: Values
  /**
   * The rules of the contract, or how to load them before the form is sent. A mistake appears at
   * the field of its name.
   */
  schema?: z.ZodType<Input> | (() => Promise<z.ZodType<Input>>)
  /** Converts the fields to the input of the schema, if they differ. */
  toInput?: (values: Values) => unknown
  /** Mistakes by field that the schema does not find. */
  findMistakes?: (values: Values) => Partial<Record<string, string>>
  /** Sends the parsed values. May return the values to show afterwards. */
  send: (input: Input, values: Values) => Promise<void> | Promise<Values>
  /** The text for failures without a reason; or a function that explains any failure. */
  failed: string | ((cause: unknown) => Failure)
  /** The field for failures that name no field of the form; by default they appear on top. */
  failuresAt?: keyof Values & string
  /** Name under which the draft is kept until it is sent, also after a reload or sign-in. */
  draft?: string
  onEdit?: () => void
}

/**
 * A form that checks its fields by the contract, sends them once at a time, and shows a failure
 * where it belongs.
 */
export function useApiForm<Values extends object, Input = Values>(
  options: ApiFormOptions<Values, Input>,
) {
  const { saved, toInput, send } = options
  const draft = useDraft<Partial<Values>>(options.draft)
  const rules = useRules(options.schema)
  const form = useFields(options, rules, draft)
  const { clear, ...sending } = useSending(form, options)

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault()
    // React also hands it to the form around a dialog.
    event?.stopPropagation()
    if (sending.isSending || (rules.isLoaded() && !sending.check())) return

    void sending.run(async () => {
      if (!rules.isLoaded()) {
        await rules.load()
        if (!sending.check()) return
      }

      const schema = rules.find()
      const values = form.getValues()
      const input = schema
        ? schema.parse(toInput?.(values) ?? values)
        : (values as unknown as Input)
      const savedValues = await send(input, values)
      if (savedValues) form.setValues(savedValues)
      draft.clear()
    })
  }

  const reset = () => {
    form.setValues(saved)
    clear()
    draft.clear()
  }

  const { values, errors, getInputProps, setFieldValue } = form
  const changes = Object.keys(findEdits(values, saved))
  const isChanged = changes.length > 0

  return {
    values,
    errors,
    getInputProps,
    setFieldValue,
    changes,
    isChanged,
    submit,
    reset,
    ...sending,
  }
}

/** The schema of a form, which may still be on its way. */
function useRules<Input>(schema: ApiFormOptions<object, Input>['schema']) {
  const loaded = useRef<z.ZodType<Input>>(undefined)
  const find = () => (typeof schema === 'function' ? loaded.current : schema)
  // Without it, the host checks the fields alone.
  const load = async () => {
    if (typeof schema === 'function') loaded.current = await schema().catch(() => undefined)
  }
  return { find, load, isLoaded: () => schema === undefined || find() !== undefined }
}

function useFields<Values extends object, Input>(
  options: ApiFormOptions<Values, Input>,
  rules: ReturnType<typeof useRules<Input>>,
  draft: Draft<Partial<Values>>,
) {
  const { saved, toInput, findMistakes, onEdit } = options
  const [initialValues] = useState(() => ({ ...saved, ...draft.load() }))
  const form = useForm<Values>({
    // Several forms of a page may have fields of the same name.
    name: useId().replace(/\W|_/g, ''),
    mode: 'controlled',
    initialValues,
    validate: (values) => {
      const mistakes: Partial<Record<string, string>> = {}
      for (const { path, message } of rules.find()?.safeParse(toInput?.(values) ?? values).error
        ?.issues ?? [])
        mistakes[String(path[0])] ??= message
      return { ...mistakes, ...findMistakes?.(values) }
    },
    onValuesChange: (values) => {
      onEdit?.()
      const edits = findEdits(values, saved)
      if (Object.keys(edits).length > 0) draft.save(edits)
      else draft.clear()
    },
  })

  const followed = useRef(saved)
  const follow = useEffectEvent(() => {
    if (followed.current === saved) return
    form.setValues({ ...saved, ...findEdits(form.getValues(), followed.current) })
    followed.current = saved
  })

  const facts = JSON.stringify(saved)
  useEffect(() => follow(), [facts])

  return form
}

function useSending<Values extends object, Input>(
  form: UseFormReturnType<Values>,
  { failed, failuresAt }: ApiFormOptions<Values, Input>,
) {
  const [isSending, setSending] = useState(false)
  /** A repeated failure has another number, so that it is announced again. */
  const [failure, setFailure] = useState<Failure & { number: number }>()

  const clear = () => setFailure(undefined)

  /** Whether every field is valid. Otherwise the first mistake gets the focus. */
  const check = (): boolean => {
    const { hasErrors, errors } = form.validate()
    if (hasErrors) clear()
    focusFirst(form, Object.keys(errors))
    return !hasErrors
  }

  /** Shows a failure at its field, or on top. */
  const refuse = (cause: unknown, description = failed) => {
    const isText = typeof description === 'string'
    const { text, detail }: Failure = isText
      ? { text: failureText(cause, { failed: description }) }
      : description(cause)
    const field = failureField(cause, Object.keys(form.getValues())) ?? failuresAt
    if (field === undefined)
      return setFailure((last) => ({ text, detail, number: (last?.number ?? 0) + 1 }))
    clear()
    form.setFieldError(field, text)
    focusFirst(form, [field])
  }

  /**
   * The last failure stays until the answer: a shrinking dialog would move its button under a
   * double click.
   */
  const run = async (task: () => Promise<void>) => {
    setSending(true)
    await task().then(clear, (cause: unknown) => refuse(cause))
    setSending(false)
  }

  return { failure, isSending, check, refuse, run, clear }
}

function focusFirst<Values>(form: UseFormReturnType<Values>, fields: readonly string[]): void {
  const inputs = fields.flatMap((field) => form.getInputNode(field) ?? [])
  const [first] = inputs.sort((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  first?.focus()
}

/** The fields that differ from the saved values. */
const findEdits = <Values extends object>(values: Values, saved: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Values]),
    ),
  ) as Partial<Values>

type Draft<Value> = ReturnType<typeof useDraft<Value>>

/**
 * The edited fields, in this tab. A browser that stores nothing (private mode, full storage) loses
 * drafts only.
 */
function useDraft<Value>(name: string | undefined) {
  const key = `slipway.draft.${useSession().user?.user_id ?? ''}.${name}`

  const attempt = (storage: () => unknown) => {
    try {
      return name === undefined ? undefined : storage()
    } catch (cause) {
      console.warn('This draft could not be kept', cause)
    }
  }

  return {
    load: () =>
      attempt(() => JSON.parse(sessionStorage.getItem(key) ?? 'null')) as Value | null | undefined,
    save: (value: Value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
    clear: () => attempt(() => sessionStorage.removeItem(key)),
  }
}
