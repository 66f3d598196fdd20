import { badRequest } from './bad-request.ts'

/** A template as SES keeps it: `{{name}}` is replaced by what the message says. */
export interface MailTemplate {
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
}

/** Fills in `{{name}}` and `{{person.name}}`; other expressions of Handlebars are refused rather than left as they are. */
export function renderTemplate(template: MailTemplate, templateData: string | undefined): MailTemplate {
  const data = parseData(templateData ?? '{}')
  const render = (text: string | undefined) =>
    text?.replaceAll(/\{\{((?:(?!\{\{).)*?)\}\}/gs, (_, path) => fill(path, data))
  return { subject: render(template.subject) ?? '', text: render(template.text), html: render(template.html) }
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('Template data is not valid JSON.')
  }
}

function fill(path: string, data: unknown): string {
  const names = path.trim().split('.')
  if (!names.every(name => /^\w+$/.test(name))) {
    throw badRequest(`The mailbox fills in only names, not {{${path}}}.`)
  }
  const value = names.reduce<unknown>(
    (within, name) => (within as Record<string, unknown> | undefined)?.[name],
    data,
  )
  // SES takes the message and reports this afterwards, as an event that nobody may listen to.
  if (value === undefined)
    throw badRequest(`Attribute '${path.trim()}' is not present in the rendering data.`)
  return String(value)
}
