import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import { inputsOf, listOf, requireText } from './input.ts'

const maxTags = 50

export interface Tags {
  /** @throws ServiceError if the tags of the input are not valid */
  check(input: ServiceInput): void
  /** Adds the tags of the input, if there are any. */
  put(arn: string, input: ServiceInput): void
  forget(arn: string): void
  readonly tag: ServiceOperation
  readonly untag: ServiceOperation
  readonly list: ServiceOperation
}

/** @param checkResource throws if there is no such resource */
export function createTags(checkResource: (arn: string) => void): Tags {
  const tagsOf = new Map<string, ReadonlyMap<string, string>>()
  const put = (arn: string, input: ServiceInput): void => {
    const tags = new Map([...(tagsOf.get(arn) ?? []), ...parseTags(input)])
    if (tags.size > maxTags) throw refused(`A resource has at most ${maxTags} tags.`)
    tagsOf.set(arn, tags)
  }
  const resourceOf = (input: ServiceInput): string => {
    const arn = requireText(input, 'ResourceARN')
    checkResource(arn)
    return arn
  }
  return {
    check: input => void parseTags(input),
    put,
    forget: arn => void tagsOf.delete(arn),
    tag: input => {
      put(resourceOf(input), { Tags: listOf(input, 'Tags') })
      return {}
    },
    untag: input => {
      const arn = resourceOf(input)
      const keys = listOf(input, 'TagKeys')
      tagsOf.set(arn, new Map([...(tagsOf.get(arn) ?? [])].filter(([key]) => !keys.includes(key))))
      return {}
    },
    list: input => {
      const tags = [...(tagsOf.get(resourceOf(input)) ?? [])]
      return { Tags: tags.map(([Key, Value]) => ({ Key, Value })) }
    },
  }
}

function parseTags(input: ServiceInput): readonly (readonly [string, string])[] {
  if (input['Tags'] == null) return []
  return inputsOf(input, 'Tags').map(({ Key, Value }) => {
    if (typeof Key !== 'string' || Key === '' || Key.length > 128)
      throw refused('The key of a tag has 1 to 128 characters.')
    if (/^aws:/i.test(Key)) throw refused(`The key ${Key} of a tag begins with aws:, which is reserved.`)
    if (typeof Value !== 'string' || Value.length > 256)
      throw refused(`The value of the tag ${Key} is a text of at most 256 characters.`)
    return [Key, Value] as const
  })
}

function refused(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}
