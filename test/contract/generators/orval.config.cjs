const { resolve } = require('node:path');

module.exports = {
  platform: {
    input: resolve(__dirname, '../../../openapi/platform.json'),
    output: {
      target: resolve(__dirname, '../.generated/orval/platform.ts'),
      mode: 'single',
      client: 'fetch',
      override: {
        // Generated calls have no base URL; Node runs the generated files as they are.
        mutator: { path: resolve(__dirname, 'orval-fetch.ts'), name: 'platformFetch', extension: '.ts' },
      },
    },
  },
};
