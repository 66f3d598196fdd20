declare module 'asl-validator' {
  const validate: (definition: object) => { readonly isValid: boolean }
  export = validate
}
