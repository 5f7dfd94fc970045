import type { Rooms } from '../../compose/context'
import type { ReportRecord } from '../../data/records/report-records'
import { presentLoneReport } from './presenter'

const COLUMNS =
  'id,created,kind,state,fixed in,version,from,account,tester link,system,device,browser,' +
  'language,files,answers,signature,text'

/** Spreadsheets read UTF-8 only after this mark. */
const BYTE_ORDER_MARK = '\ufeff'

/** Writes reports as a table (RFC 4180). */
export function writeReportsCsv(
  deps: Rooms<'accounts' | 'projects'>,
  reports: readonly ReportRecord[],
): string {
  const rows = reports.map((record) => {
    const report = presentLoneReport(deps, record)
    const { system, model, browser, language } = report.device
    const cells = [
      ...[report.report_id, report.created_at, report.kind, report.state, report.fixed_in],
      ...[report.version, report.from, report.username, report.tester],
      ...[system, model, browser, language, report.attachments, report.replies],
      ...[report.signature, record.text],
    ]
    return cells.map(writeCell).join(',')
  })
  return `${BYTE_ORDER_MARK}${[COLUMNS, ...rows].join('\r\n')}\r\n`
}

/**
 * Writes a cell in quotes. Spreadsheets run a cell that begins with one of these characters as a
 * formula (OWASP, "CSV Injection"), so it begins with an apostrophe.
 */
function writeCell(value: string | number | null): string {
  const text = String(value ?? '')
  const harmless = /^[\s]*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
