import { isPlaceholder } from '../expressions/placeholder.ts'
import { maxSeconds } from '../facts/limits.ts'
import { isArray } from '../json.ts'
import type { StateType } from '../language.ts'
import { choices } from './choices.ts'
import type { FieldCheck } from './context.ts'
import { catchers, credentials, retry } from './error-handling.ts'
import {
  anything,
  boolean,
  inputPath,
  jsonataTemplate,
  number,
  oneOf,
  orExpression,
  orNull,
  path,
  pathOrIntrinsic,
  payloadTemplate,
  referencePath,
  text,
  timestamp,
} from './fields.ts'
import { itemBatcher, itemReader, label, resultWriter, subMachine } from './map-fields.ts'
import type { ObjectFields } from './object-fields.ts'
import { resource } from './task-resource.ts'
import { assign } from './variables.ts'

const seconds = number({ least: 1, most: maxSeconds })

const common = { Type: anything, Comment: text, QueryLanguage: oneOf('JSONPath', 'JSONata') }
const transition = { Next: text, End: boolean }
const inputOutput = { InputPath: orNull(path), OutputPath: orNull(path) }
const output = { Output: jsonataTemplate }
const results = { ResultSelector: payloadTemplate, ResultPath: orNull(referencePath) }
const handling = { Retry: retry, Catch: catchers }

const branches: FieldCheck = (value, pointer, context) => {
  if (isPlaceholder(value)) return
  if (!isArray(value)) return context.report('valid/field-value', pointer, 'The value must be an array.')
  if (value.length === 0) context.report('valid/field-value', pointer, 'Value cannot be empty')
}

const items: FieldCheck = (value, pointer, context) => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return context.report(
      'valid/field-value',
      pointer,
      'The value must be an array, an object or a JSONata expression.',
    )
  }
  jsonataTemplate(value, pointer, context)
}

export const stateFields: Readonly<Record<StateType, ObjectFields>> = {
  Task: {
    both: {
      ...common,
      ...transition,
      ...handling,
      Assign: assign,
      Resource: resource,
      Credentials: credentials,
      TimeoutSeconds: orExpression(seconds),
      HeartbeatSeconds: orExpression(seconds),
    },
    JSONPath: {
      ...inputOutput,
      ...results,
      Parameters: payloadTemplate,
      TimeoutSecondsPath: path,
      HeartbeatSecondsPath: path,
    },
    JSONata: { ...output, Arguments: jsonataTemplate },
    required: ['Resource'],
    exclusive: [
      ['TimeoutSeconds', 'TimeoutSecondsPath'],
      ['HeartbeatSeconds', 'HeartbeatSecondsPath'],
    ],
  },
  Pass: {
    both: { ...common, ...transition, Assign: assign },
    JSONPath: {
      ...inputOutput,
      Parameters: payloadTemplate,
      ResultPath: orNull(referencePath),
      Result: anything,
    },
    JSONata: output,
  },
  Wait: {
    both: {
      ...common,
      ...transition,
      Assign: assign,
      Seconds: orExpression(number({ least: 0, most: maxSeconds })),
      Timestamp: orExpression(timestamp),
    },
    JSONPath: { ...inputOutput, SecondsPath: path, TimestampPath: path },
    JSONata: output,
    exactlyOne: [['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath']],
  },
  Succeed: { both: common, JSONPath: inputOutput, JSONata: output },
  Fail: {
    both: { ...common, Error: orExpression(text), Cause: orExpression(text) },
    JSONPath: { ErrorPath: pathOrIntrinsic, CausePath: pathOrIntrinsic },
    exclusive: [
      ['Error', 'ErrorPath'],
      ['Cause', 'CausePath'],
    ],
  },
  Choice: {
    both: { ...common, Assign: assign, Choices: choices, Default: text },
    JSONPath: inputOutput,
    JSONata: output,
    required: ['Choices'],
  },
  Parallel: {
    both: { ...common, ...transition, ...handling, Assign: assign, Branches: branches },
    JSONPath: { ...inputOutput, ...results, Parameters: payloadTemplate },
    JSONata: { ...output, Arguments: jsonataTemplate },
    required: ['Branches'],
  },
  Map: {
    both: {
      ...common,
      ...transition,
      ...handling,
      Assign: assign,
      ItemProcessor: subMachine,
      Iterator: subMachine,
      ItemReader: itemReader,
      ItemBatcher: itemBatcher,
      ResultWriter: resultWriter,
      ItemSelector: (value, pointer, context) =>
        (context.language === 'JSONata' ? jsonataTemplate : payloadTemplate)(value, pointer, context),
      MaxConcurrency: orExpression(number({ least: 0 })),
      ToleratedFailurePercentage: orExpression(number({ least: 0, most: 100, whole: false })),
      ToleratedFailureCount: orExpression(number({ least: 0 })),
      Label: label,
    },
    JSONPath: {
      ...inputOutput,
      ...results,
      Parameters: payloadTemplate,
      ItemsPath: path,
      MaxConcurrencyPath: inputPath,
      ToleratedFailurePercentagePath: inputPath,
      ToleratedFailureCountPath: inputPath,
    },
    JSONata: { ...output, Items: items },
    exactlyOne: [['ItemProcessor', 'Iterator']],
    exclusive: [
      ['Parameters', 'ItemSelector'],
      ['MaxConcurrency', 'MaxConcurrencyPath'],
      ['ToleratedFailurePercentage', 'ToleratedFailurePercentagePath'],
      ['ToleratedFailureCount', 'ToleratedFailureCountPath'],
    ],
  },
}
