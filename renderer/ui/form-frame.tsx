import { Button, Group, Stack, Text, type ButtonProps, type StackProps } from '@mantine/core'
import { Suspense, useEffect, useState, type ReactNode, type SyntheticEvent } from 'react'
import { useLoadLater } from '../lib/browser/after-first-view'
import { lazyPage } from '../lib/browser/lazy-page'

const loadFailure = () => import('./form-failure')
/** After this, a form with `slow` says it. */
const SLOW_MS = 2000

const FormFailure = lazyPage(loadFailure, 'FormFailure')

/** The parts of a form that the frame uses. */
interface FramedForm {
  submit: (event: SyntheticEvent) => void
  reset: () => void
  isSending: boolean
  isChanged: boolean
  failure: { text: string; detail?: string | undefined; number: number } | undefined
}

interface FormFrameProps extends StackProps {
  form: FramedForm
  /** What a form says that takes longer than two seconds, such as `Checking …`. */
  slow?: string
  /** The text of the button. Without it, the form places its `SubmitButton` itself. */
  submit?: string
  button?: ButtonProps
  /** For a form that saves changes: enables the button on a change, and adds Discard. */
  hasChanges?: boolean
  /** ID of the form, for buttons outside it. */
  id?: string
  /** Leaves the form and drops the draft. */
  onCancel?: () => void
  start?: ReactNode
  /** Follows the buttons, which then begin at the left, also in a form that can be cancelled. */
  end?: ReactNode
}

/** A form: why it failed, its fields, and its row of buttons. */
export function FormFrame(props: FormFrameProps) {
  const {
    form,
    submit,
    button,
    hasChanges,
    slow,
    onCancel,
    start,
    end,
    children,
    id,
    'aria-label': label,
    ...stack
  } = props

  useLoadLater(loadFailure)
  const isSlow = useIsSlow(form.isSending)
  const isDialog = onCancel !== undefined && end === undefined

  const leave = (text: string, onClick: () => void) => (
    <Button variant="subtle" color="gray" onClick={onClick}>
      {text}
    </Button>
  )

  const cancel =
    onCancel &&
    leave('Cancel', () => {
      form.reset()
      onCancel()
    })

  return (
    <form id={id} onSubmit={form.submit} noValidate aria-label={label}>
      <Stack gap="md" {...stack}>
        <Suspense>
          {form.failure && <FormFailure key={form.failure.number} {...form.failure} />}
        </Suspense>
        {children}
        {submit !== undefined && (
          <Group gap="xs" justify={isDialog ? 'flex-end' : 'flex-start'}>
            {start}
            {isDialog && cancel}
            <SubmitButton form={form} hasChanges={hasChanges} {...button}>
              {submit}
            </SubmitButton>
            {!isDialog && cancel}
            {hasChanges !== undefined && form.isChanged && leave('Discard', form.reset)}
            {end}
          </Group>
        )}
        {slow !== undefined && (
          <Text role="status" size="sm" c="dimmed" ta="center" mt={-8}>
            {isSlow && slow}
          </Text>
        )}
      </Stack>
    </form>
  )
}

/** Whether something lasts longer than two seconds. */
function useIsSlow(isRunning: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  if (!isRunning && isSlow) setSlow(false)

  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [isRunning])

  return isSlow
}

interface SubmitButtonProps extends ButtonProps {
  form: Pick<FramedForm, 'isSending'>
  /** ID of the `FormFrame`, if the button is outside it. */
  formId?: string
  hasChanges?: boolean | undefined
}

/** Sends a form. Saving leaves no changes, and a disabled button would lose the focus. */
export function SubmitButton({ form, formId, hasChanges = true, ...props }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      form={formId}
      loading={form.isSending}
      aria-disabled={!hasChanges}
      data-disabled={!hasChanges}
      onClick={(event) => {
        if (!hasChanges) event.preventDefault()
      }}
      {...props}
    />
  )
}
