import { once } from 'node:events'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createConsoleFeed, startConsole } from '@stepwright/console'
import { app } from '@stepwright/csv-processor/app'
import { startApp } from '@stepwright/local-cloud'
import { userLogCsv } from './csv-processor/user-log-csv.ts'
import type { Screen } from './screen.ts'

/** The CSV workflow in the console, until Ctrl-C. */
export async function keepConsoleOpen(screen: Screen): Promise<void> {
  const feed = createConsoleFeed()
  await using running = await startApp(app, {
    environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    onCall: feed.onCall,
    onStatusChange: feed.onStatusChange,
  })
  await using console = await startConsole({ app, running, feed })
  const { endpoint, region, credentials } = running.services.s3
  const s3 = new S3Client({ endpoint, region, credentials })
  const ended = running.ended('process')
  await s3.send(
    new PutObjectCommand({
      Bucket: running.names.buckets['input'],
      Key: 'data/user-log.csv',
      Body: userLogCsv(1000, 80),
    }),
  )
  s3.destroy()
  await ended
  screen.title(
    'The console, with an execution to look at. Drop another CSV into data/, and watch. Ctrl-C ends it.',
  )
  screen.line(console.url)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
}
