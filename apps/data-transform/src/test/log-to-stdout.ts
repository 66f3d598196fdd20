// For functions and jobs of tests: warnings and errors are printed where `onLog` hears them.
Object.defineProperty(process, 'stderr', { get: () => process.stdout })
