import { type RawBuilder, sql } from 'kysely'
import type { QueueRules } from './job-store.ts'

/**
 * The common table expressions `occupied` (jobs that occupy a worker, by user) and `queue` (jobs that wait, with their
 * `place`), in the order of `toQueue`. They need a `clock` with `now`.
 */
export function queueOf(
  table: RawBuilder<unknown>,
  { relaunchAfterMs, agingMs }: QueueRules,
): RawBuilder<unknown> {
  const late = sql`clock.now - ${relaunchAfterMs} * interval '1 millisecond'`
  const aged = (since: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`priority + floor(extract(epoch from clock.now - ${since}) * 1000 / ${agingMs}::float8)`
  return sql`
    occupied as (
      select user_id, count(*) as running from ${table}, clock
      where status = 'PROCESSING' or (status = 'PENDING' and launched_at > ${late}) or worker_until > clock.now
      group by user_id
    ),
    waiting as (
      select id, user_id, priority, created_at,
        ${aged(sql`created_at`)} as own_importance
      from ${table}, clock where status = 'PENDING' and (launched_at is null or launched_at <= ${late})
    ),
    served as (
      select user_id, (select max(launched_at) from ${table} as job where job.user_id = users.user_id) as served_at
      from (select distinct user_id from waiting) as users
    ),
    turns as (
      select id, created_at, coalesce(served_at, '-infinity') as served_at,
        ${aged(sql`greatest(created_at, served_at)`)} as importance,
        coalesce(running, 0) + row_number() over (
          partition by user_id order by own_importance desc, created_at, id) as turn
      from clock, waiting join served using (user_id) left join occupied using (user_id)
    ),
    queue as (
      select id, row_number() over (order by turn, importance desc, served_at, created_at, id) as place from turns
    )`
}
