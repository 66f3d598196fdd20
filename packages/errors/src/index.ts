export const x: string = 'y'
