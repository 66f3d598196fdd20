import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { app } from '@stepwright/data-transform/app'
import { demonstrateTransform } from '@stepwright/data-transform/demo'
import { startApp } from '@stepwright/local-cloud'
import type { Screen } from '../screen.ts'

/** Raw files to Parquet: Glue on AWS, DuckDB here. */
export async function showTransform(screen: Screen): Promise<void> {
  screen.title(
    '9. The data transform: raw files become checked, published Parquet; a bad day hides no good one',
  )
  const definition = await readFile(new URL(app.workflows?.['transform']?.definition ?? '', app.root), 'utf8')
  const transform = JSON.parse(definition, (key, value) => (key === 'Seconds' ? 1 : value)) as object
  await using running = await startApp(app, {
    environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    definitions: { transform },
  })
  const { failure, mended, table } = await demonstrateTransform(running)
  assert.equal(failure.error.code, 'DQ_FAILED')
  screen.line(`three days: ${failure.error.code}, ${failure.error.message} (${failure.error.partition})`)
  screen.line(`once it is mended: ${mended.partitions.length} days, ${mended.stats.rowCount} rows`)
  screen.line(
    `the catalog: ${table.TableInput.StorageDescriptor.Columns.map(({ Name, Type }) => `${Name} ${Type}`).join(', ')}`,
  )
}
