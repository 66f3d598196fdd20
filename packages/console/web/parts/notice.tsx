import type { ComponentChildren } from 'preact'

export function Problem({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="notice bad" role="alert">
      {children}
    </p>
  )
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
