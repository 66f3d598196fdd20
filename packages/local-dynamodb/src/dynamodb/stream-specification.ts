export interface StreamSpecification {
  readonly StreamEnabled?: boolean
  readonly StreamViewType?: string
}

const viewTypes = ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY']

export function findStreamProblem({
  StreamEnabled,
  StreamViewType,
}: StreamSpecification): string | undefined {
  if (StreamViewType != null && !viewTypes.includes(StreamViewType)) {
    return `1 validation error detected: Value '${StreamViewType}' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [${viewTypes.join(', ')}]`
  }
  const isOn = StreamEnabled === true
  if (isOn === (StreamViewType != null)) return undefined
  return isOn
    ? 'One or more parameter values were invalid: StreamViewType is required when StreamEnabled is true'
    : 'One or more parameter values were invalid: Table StreamViewType cannot be specified when StreamEnabled is false'
}
