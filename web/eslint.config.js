// The Rules of React; Biome checks everything else.
import parser from '@typescript-eslint/parser';
import reactHooks from 'eslint-plugin-react-hooks';

export default [
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    ...reactHooks.configs.flat['recommended-latest'],
  },
];
