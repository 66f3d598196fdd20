import type { TaskErrorClass } from './task-error.ts'
import { DatabaseConnectionError, NetworkError, TemporaryError } from './taxonomy.ts'

const network =
  /^(E(CONN|HOST|NET|AI_|PIPE|TIMEDOUT|NOTFOUND|ADDRNOTAVAIL)|UND_ERR_.*(TIMEOUT|SOCKET|CLOSED|DESTROYED)|ERR_(STREAM_PREMATURE|SOCKET|HTTP2))/

/** pg reports these without any code. */
const lostDatabase = /^(Connection term|timeout exceeded when|Client has encountered a conn)/

/** Errors of Node, undici and the abort signals. */
export function classifySystem({
  name,
  code,
  message,
}: Readonly<Record<string, unknown>>): TaskErrorClass | undefined {
  const text = String(message)
  if (network.test(String(code)) || (name === 'TypeError' && /^(fetch failed|terminated)$/.test(text)))
    return NetworkError
  if (/^E(MFILE|NFILE|AGAIN|BUSY)$/.test(String(code)) || /^(Abort|Timeout)Error$/.test(String(name)))
    return TemporaryError
  return lostDatabase.test(text) ? DatabaseConnectionError : undefined
}
