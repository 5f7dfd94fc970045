import type { ListedReport, ReportGroup, ReportKind, ReportState } from '../../../server/contract'

export const kindTexts: Record<ReportKind, string> = {
  problem: 'Problem',
  idea: 'Idea',
  crash: 'Crash',
}

export const stateTexts: Record<ReportState, string> = {
  new: 'New',
  open: 'Open',
  fixed: 'Fixed',
  closed: 'Closed',
}

export const reportStates = Object.keys(stateTexts) as ReportState[]
export const reportKinds = Object.keys(kindTexts) as ReportKind[]

export const stateColors: Record<ReportState, string> = {
  new: 'orange',
  open: 'quay',
  fixed: 'green',
  closed: 'gray',
}

/** Who sent a report: an account, or the name that a person gave. */
export const nameReporter = ({
  username,
  from,
  tester,
  is_from_app,
}: Pick<ListedReport, 'username' | 'from' | 'tester' | 'is_from_app'>): string =>
  username ?? from ?? tester ?? (is_from_app ? 'The app' : 'A visitor')

/** The versions of a group: '1.3.0 – 1.4.1'. Empty if no report names one. */
export const describeVersions = ({
  first_version: first,
  last_version: last,
}: ReportGroup): string => (first === null ? '' : first === last ? first : `${first} – ${last}`)

/** The device of a reporter in one line. */
export const describeDevice = ({ device }: Pick<ListedReport, 'device'>): string =>
  [device.model, device.system, device.browser].filter((part) => part !== null).join(' · ')
