import { type Campaign, formatCount } from './campaign.ts'
import { inJapanese } from './in-japanese.ts'

/** Which rows of the CSV were left out, and why; the first are enough to mend the file by. */
export function RejectedRows({
  campaign: { rejected_rows, rejected_count },
}: {
  readonly campaign: Campaign
}) {
  if (rejected_rows.length === 0) return null
  return (
    <>
      <h3>除外した行</h3>
      <p class="quiet">
        {formatCount(rejected_count)}件のうち{formatCount(rejected_rows.length)}
        件を表示しています。見出しと空行は行番号に含みません。
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="除外した行の一覧">
        <table>
          <thead>
            <tr>
              <th scope="col">行</th>
              <th scope="col">理由</th>
            </tr>
          </thead>
          <tbody>
            {rejected_rows.map(({ row, reason }) => (
              <tr key={row}>
                <td>{formatCount(row)}</td>
                <td>{inJapanese(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
