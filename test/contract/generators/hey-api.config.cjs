const { resolve } = require('node:path');

module.exports = {
  input: resolve(__dirname, '../.generated/platform.json'),
  output: {
    path: resolve(__dirname, '../.generated/hey-api'),
    // Node runs the generated files as they are.
    module: { extension: '.ts' },
  },
  logs: { file: false },
};
