import type { ReportKind, ReportState } from '../contract/report-schemas'

/** The form of a report. Its texts are untrusted, as they come from people and their browsers. */
export interface ReportFormView {
  /** The project. */
  title: string
  /** The address of its page. */
  back: string
  /** Where the form goes, and where resumable uploads begin afterwards. */
  form: string
  uploads: string
  /** Becomes the secret in the address of the report, so that sending twice changes nothing. */
  secret: string
  /** Newest first, and the one that is chosen. */
  versions: readonly string[]
  version: string
  /** What is sent about the device: names and values. */
  facts: readonly (readonly [name: string, value: string])[]
  /** In bytes. */
  largest: number
  /** Bytes per request of a resumable upload. */
  chunk: number
  /** The most files. */
  most: number
  /** The most characters. */
  longest: number
  /** Why the last report was not sent. */
  problem: string | null
}

/** A report, as its reporter sees it. */
export interface OwnReportView {
  /** The project, and the address of its page; null: visitors cannot open it. */
  title: string
  project: string | null
  kind: ReportKind
  text: string
  version: string | null
  state: ReportState
  fixedIn: string | null
  /** The page of the version that fixes it; null: visitors cannot open it. */
  fix: string | null
  /** UTC ISO 8601. */
  sentAt: string
  facts: readonly (readonly [name: string, value: string])[]
  files: readonly { name: string; size: number }[]
  /** `by`: an account of the team; null: the reporter. */
  replies: readonly { by: string | null; text: string; at: string }[]
  /** Where answers and files go; null: it takes no more. */
  answer: string | null
  addFile: string | null
  uploads: string
  largest: number
  chunk: number
  longest: number
  problem: string | null
  now: Date
}

/** What a report is, in a sentence about it. */
export const reportNouns: Record<ReportKind, string> = {
  problem: 'problem',
  idea: 'idea',
  crash: 'crash',
}

/** The state of a report in a few words. */
export function describeState(state: ReportState, fixedIn: string | null): string {
  if (state === 'fixed') return fixedIn === null ? 'Fixed' : `Fixed in ${fixedIn}`
  return { new: 'New', open: 'Open', closed: 'Closed' }[state]
}
