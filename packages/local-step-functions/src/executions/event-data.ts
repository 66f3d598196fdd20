type Details = Readonly<Record<string, unknown>>

const dataFields = new Set([
  ...['input', 'inputDetails', 'output', 'outputDetails', 'parameters'],
  ...['assignedVariables', 'assignedVariablesDetails'],
])

/** An event's details, less the data of the execution: what it was given, what it made, and its variables. */
export function withoutData(details: Details): Details {
  return Object.fromEntries(Object.entries(details).filter(([field]) => !dataFields.has(field)))
}
