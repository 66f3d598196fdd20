import { useEffect, useState } from 'preact/hooks'

const tickMs = 1000

/** The time, every second anew as long as it is wanted. */
export function useNow(isWanted: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isWanted) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isWanted])
  return now
}
