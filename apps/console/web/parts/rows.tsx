interface RowsProps {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly label: string
}

export function Rows({ columns, rows, label }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((field, column) => (
                <td key={column}>{field}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
