import { Stack, Text } from '@mantine/core'
import type { BucketTestStep } from '../../../server/contract/host/bucket'
import { StepList } from '../../ui/feedback/step-list'
import { bucketStepTexts } from '../../../server/texts/host/bucket-texts'
import { quoteError, testSteps } from './bucket-words'

interface TestResultProps {
  isPending: boolean
  steps: readonly BucketTestStep[] | undefined
}

const order = ['put', 'read', 'head', 'delete'] as const

/** The steps of a test; the first sentence is announced. */
export function TestResult({ isPending, steps }: TestResultProps) {
  return (
    <Stack gap="sm" mt={isPending || steps ? 'md' : 0}>
      <Text role="status" fw={600}>
        {isPending ? 'Testing…' : steps && summaryOf(steps)}
      </Text>
      {isPending && (
        <StepList steps={order.map((step) => ({ text: testSteps[step], state: 'running' }))} />
      )}
      {!isPending && steps && (
        <StepList
          steps={steps.map(({ step, state, problem, detail }) => ({
            text: testSteps[step],
            state: state === 'skipped' ? 'waiting' : state,
            note: problem !== null && (
              <Text c="dimmed">{`${failureOf(step, problem)}${quoteError(detail)}`}</Text>
            ),
          }))}
        />
      )}
    </Stack>
  )
}

function failureOf(...failed: Parameters<typeof bucketStepTexts>): string {
  const { line, advice } = bucketStepTexts(...failed)
  return `${line} ${advice}`
}

function summaryOf(steps: readonly BucketTestStep[]): string {
  const failed = steps.findIndex(({ state }) => state === 'failed')
  if (failed === -1) return 'The test passed. Slipway can use this bucket.'
  return `The test failed at step ${failed + 1} of ${steps.length}.`
}
