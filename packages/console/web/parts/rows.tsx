import { TableBox } from './table-box.tsx'

interface RowsProps {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly label: string
}

export function Rows({ columns, rows, label }: RowsProps) {
  return (
    <TableBox label={label}>
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
    </TableBox>
  )
}
