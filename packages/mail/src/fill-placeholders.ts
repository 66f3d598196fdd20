/**
 * Puts values in place of `{name}`, whatever they hold; braces around anything else, such as a style's, stay as they
 * are.
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([^{}]{1,100})\}/g, (given, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : given,
  )
}

/** A text as HTML shows it, also inside an attribute's quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** A text that fits into a header field: no line breaks, nor other control characters. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
