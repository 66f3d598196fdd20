/** What every log stream is called here. */
export const logStreamName = 'local'
