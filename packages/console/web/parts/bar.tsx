interface BarProps {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly label: string
}

export function Bar({ total, done, failed, label }: BarProps) {
  const share = (value: number): string => `${total === 0 ? 0 : (value / total) * 100}%`
  return (
    <span
      class="bar"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done + failed}
      aria-label={label}
    >
      <i class="done" style={{ width: share(done) }} />
      <i class="lost" style={{ width: share(failed) }} />
    </span>
  )
}
