import { Textarea } from '@mantine/core'
import { REPLY_MAX } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { useReply } from './use-reports'

/** Answers a report. An unsent answer survives a reload. */
export function Answer({ projectId, reportId }: { projectId: string; reportId: string }) {
  const reply = useReply(projectId, reportId)
  const form = useApiForm({
    saved: { text: '' },
    draft: `report.${reportId}`,
    findMistakes: ({ text }): Partial<Record<string, string>> =>
      text.trim() === '' ? { text: 'Write an answer' } : {},
    failed: 'Failed to send the answer',
    send: async ({ text }) => {
      await reply.mutateAsync(text)
      return { text: '' }
    },
  })

  return (
    <FormFrame form={form} submit="Send answer">
      <Textarea
        label="Answer"
        description="The reporter reads it on their private page."
        autosize
        minRows={3}
        maxLength={REPLY_MAX}
        {...form.getInputProps('text')}
      />
    </FormFrame>
  )
}
