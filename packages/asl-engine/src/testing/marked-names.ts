/** Names that are new in each run, made so that they can be recognised: where they appear, a value cannot be compared. */
export const unknownNames = { uuid: '5ca1ab1e-', machine: 'replayed-state-machine', account: '000000000000' }

export function createMarkedUuid(): () => string {
  let uuids = 0
  return () => {
    uuids += 1
    return `${unknownNames.uuid}0000-4000-8000-${String(uuids).padStart(12, '0')}`
  }
}
