import {
  createBytesSource,
  type Detection,
  detect,
  parseRows,
  readRows,
  validate,
} from '@stepwright/csv-chunker'
import * as z from 'zod/mini'

const contact = z.object({ email: z.string(), age: z.coerce.number() })

export async function readContacts(
  csv: string,
): Promise<{ detected: Detection; contacts: z.infer<typeof contact>[] }> {
  const source = createBytesSource(Buffer.from(csv)) // createFileSource(path) and createObjectSource(store, key) for large files
  const { isValid, statistics } = await validate(source, { expectedColumns: ['email', 'age'] })
  if (!isValid) throw new TypeError(statistics.validationErrors[0]?.message)
  const contacts = []
  for await (const { rows } of parseRows(readRows(source), contact)) contacts.push(...rows)
  return { detected: await detect(source), contacts }
}
