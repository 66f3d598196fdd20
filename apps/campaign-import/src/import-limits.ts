export const rowsPerChunk = 5000
/** As many as fit into a state's payload and an execution's history: 7,500,000 rows. */
export const maxChunks = 1500
export const maxRejectedRows = 1000
