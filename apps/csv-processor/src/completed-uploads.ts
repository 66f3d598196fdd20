import { toDatabaseError } from '@stepwright/errors/postgres'

/** Which upload of each file readers see. */
export interface CompletedUploads {
  /**
   * Shows readers this upload of a file in place of the one before, all at once, unless they see a later one.
   * Resolves to the order of the upload that they see now; a repeated call changes nothing.
   */
  complete(source: string, uploadOrder: string): Promise<string>
}

/** The subset of a pool that is used. */
interface QueryPool {
  query(text: string, values: readonly string[]): Promise<{ readonly rows: readonly unknown[] }>
}

export function createPostgresUploads({ pool }: { readonly pool: QueryPool }): CompletedUploads {
  return {
    async complete(source, uploadOrder) {
      const answer = await pool.query(completeSql, [source, uploadOrder]).catch(error => {
        throw toDatabaseError(error)
      })
      const [row] = answer.rows as readonly { readonly upload_order: string }[]
      return row?.upload_order ?? uploadOrder
    },
  }
}

const completeSql = `
  insert into completed_upload (source, upload_order) values ($1, $2)
  on conflict (source) do update
    set upload_order = greatest(completed_upload.upload_order, excluded.upload_order)
  returning upload_order`
