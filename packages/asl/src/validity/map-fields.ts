import { isPlaceholder } from '../expressions/placeholder.ts'
import { maxMapLabelCharacters, maxPayloadBytes } from '../facts/limits.ts'
import { isArray } from '../json.ts'
import type { FieldCheck } from './context.ts'
import {
  anything,
  inputPath,
  jsonataTemplate,
  number,
  oneOf,
  orExpression,
  payloadTemplate,
  text,
} from './fields.ts'
import { checkFields, type ObjectFields, objectWith, withFields } from './object-fields.ts'

const headers: FieldCheck = (value, pointer, context) => {
  if (!isArray(value) && typeof value !== 'string') {
    context.report('valid/field-value', pointer, 'The value must be an array of strings.')
  }
}

const readerConfig = objectWith({
  both: {
    InputType: oneOf('CSV', 'JSON', 'JSONL', 'PARQUET', 'MANIFEST'),
    Transformation: oneOf('NONE', 'LOAD_AND_FLATTEN'),
    ManifestType: oneOf('ATHENA_DATA', 'S3_INVENTORY'),
    CSVHeaderLocation: oneOf('FIRST_ROW', 'GIVEN'),
    CSVHeaders: headers,
    CSVDelimiter: oneOf('COMMA', 'PIPE', 'SEMICOLON', 'SPACE', 'TAB'),
    ItemsPointer: text,
    MaxItems: orExpression(number({ least: 0, most: 100_000_000 })),
  },
  JSONPath: { MaxItemsPath: inputPath },
  exclusive: [['MaxItems', 'MaxItemsPath']],
})

export const itemReader: FieldCheck = objectWith({
  both: { Resource: text, ReaderConfig: readerConfig },
  JSONPath: { Parameters: payloadTemplate },
  JSONata: { Arguments: jsonataTemplate },
  required: ['Resource'],
})

export const itemBatcher: FieldCheck = objectWith({
  both: {
    BatchInput: (value, pointer, context) =>
      context.language === 'JSONata'
        ? jsonataTemplate(value, pointer, context)
        : payloadTemplate(value, pointer, context),
    MaxItemsPerBatch: orExpression(number({ least: 0, most: 100_000_000 })),
    MaxInputBytesPerBatch: orExpression(number({ least: 1, most: maxPayloadBytes })),
  },
  JSONPath: { MaxItemsPerBatchPath: inputPath, MaxInputBytesPerBatchPath: inputPath },
  exclusive: [
    ['MaxItemsPerBatch', 'MaxItemsPerBatchPath'],
    ['MaxInputBytesPerBatch', 'MaxInputBytesPerBatchPath'],
  ],
})

const writerConfig = objectWith({
  both: { Transformation: oneOf('NONE', 'COMPACT', 'FLATTEN'), OutputType: oneOf('JSON', 'JSONL') },
})

export const resultWriter: FieldCheck = objectWith({
  both: { Resource: text, WriterConfig: writerConfig },
  JSONPath: { Parameters: payloadTemplate },
  JSONata: { Arguments: jsonataTemplate },
})

const processorConfigFields: ObjectFields = {
  both: { Mode: oneOf('INLINE', 'DISTRIBUTED'), ExecutionType: oneOf('STANDARD', 'EXPRESS') },
}

export const processorConfig: FieldCheck = withFields((value, pointer, context) => {
  if (!checkFields(value, processorConfigFields, pointer, context)) return
  if (value['Mode'] === 'DISTRIBUTED' && value['ExecutionType'] === undefined) {
    context.report('valid/required-field', pointer, "The field 'ExecutionType' is required but was missing")
  }
}, processorConfigFields)

/** A label becomes part of the ARNs of a Map Run and its executions (developer guide, "Distributed mode", `Label`). */
const labelProblems: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'A label cannot be empty.'],
  [/\s/, 'A label has no white space.'],
  [/[?*<>{}[\]:;,\\|^~$#%&`"]/, 'A label has none of ? * < > { } [ ] : ; , \\ | ^ ~ $ # % & ` ".'],
  [/[\p{Cc}]/u, 'A label has no control characters.'],
]

export const label: FieldCheck = (value, pointer, context) => {
  text(value, pointer, context)
  if (typeof value !== 'string' || isPlaceholder(value)) return
  const problem =
    labelProblems.find(([pattern]) => pattern.test(value))?.[1] ??
    (value.length > maxMapLabelCharacters
      ? `A label has at most ${maxMapLabelCharacters} characters.`
      : undefined)
  if (problem !== undefined) context.report('valid/field-value', pointer, problem)
}

export const subMachine: FieldCheck = anything
