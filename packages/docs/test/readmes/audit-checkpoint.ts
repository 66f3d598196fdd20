import type { AuditLog } from '@stepwright/audit-log'

interface Kept {
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
}

export async function verifyFurther(audit: AuditLog, mac: string, kept: Kept): Promise<void> {
  await audit.verify('user-log-20240802-001', {
    mac, // the one that `seal` gave, kept elsewhere
    checkpoint: await kept.read(), // undefined the first time
    onCheckpoint: checkpoint => kept.write(checkpoint),
    signal: AbortSignal.timeout(600_000),
  })
}
