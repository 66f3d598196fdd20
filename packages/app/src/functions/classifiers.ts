import type { Classifier } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { classifyPostgres } from '@stepwright/errors/postgres'

/** Who knows the codes of what bindings open. Imported lazily, by a function that has failed. */
export const classifiers: readonly Classifier[] = [classifyAws, classifyPostgres]
