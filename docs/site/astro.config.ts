import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import navigation from './src/navigation.json' with { type: 'json' }

export default defineConfig({
  integrations: [
    starlight({
      title: 'Stepwright',
      sidebar: navigation,
      customCss: ['./src/style.css'],
      routeMiddleware: './src/language.ts',
      credits: false,
      expressiveCode: { defaultProps: { wrap: true }, styleOverrides: { codeFontSize: '0.8125rem' } },
    }),
  ],
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
})
