import type { Finding } from '@stepwright/asl'

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ rule, severity, message, pointer, suggestion }) => (
        <li key={`${rule} ${pointer} ${message}`} class={severity}>
          <b>{severity}</b> <code>{rule}</code> {message}{' '}
          {suggestion && <span class="muted">{suggestion}</span>}
        </li>
      ))}
    </ul>
  )
}
