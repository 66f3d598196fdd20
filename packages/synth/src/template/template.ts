/** A template of CloudFormation. */
export interface Template {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description: string
  readonly Transform?: string
  readonly Parameters: Readonly<Record<string, TemplateParameter>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: TemplateResources
  readonly Outputs: Readonly<Record<string, { readonly Description: string; readonly Value: unknown }>>
}

export interface TemplateParameter {
  readonly Type: string
  readonly Description: string
  readonly Default?: string
  readonly AllowedValues?: readonly string[]
}

export interface TemplateResource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
  readonly DependsOn?: readonly string[]
  readonly DeletionPolicy?: 'Retain' | 'RetainExceptOnCreate' | 'Delete' | 'Snapshot'
  readonly UpdateReplacePolicy?: 'Retain' | 'Delete' | 'Snapshot'
}

export type TemplateResources = Readonly<Record<string, TemplateResource>>

/** A text, with what `${AWS::Region}` and the like stand for put in by the deployment. */
export function sub(text: string): string | { readonly 'Fn::Sub': string } | { readonly Ref: string } {
  const [, whole] = /^\$\{([\w:]+)\}$/.exec(text) ?? []
  if (whole !== undefined) return ref(whole)
  return /\$\{(?!!)/.test(text) ? { 'Fn::Sub': text } : text.replaceAll('${!', '${')
}

export function getAtt(logicalId: string, attribute: string): { readonly 'Fn::GetAtt': readonly string[] } {
  return { 'Fn::GetAtt': [logicalId, attribute] }
}

export function ref(logicalId: string): { readonly Ref: string } {
  return { Ref: logicalId }
}

/** `csv-uploads` → `CsvUploads`: letters and digits only. */
export function logicalId(...parts: readonly string[]): string {
  return parts
    .flatMap(part => part.split(/[^A-Za-z0-9]+/))
    .map(part => `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`)
    .join('')
}

export function toTags(tags: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}
