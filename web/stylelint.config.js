import { globSync } from 'node:fs';
import { basename } from 'node:path';

const SHEETS = globSync('**/*.css', { cwd: import.meta.dirname, exclude: ['dist/**', '**/theme.css'] });
const namesOf = (sheets) => sheets.map((sheet) => basename(sheet, '.css'));

/** The classes that every sheet may mention: texts, and how elements stand beside each other. style.css has their rules. */
const BASE = [
  'address',
  'code',
  'form',
  'icon',
  'lead',
  'link',
  'muted',
  'number',
  'row',
  'row-end',
  'skip-link',
  'small',
  'stack',
  'stack-small',
  'strong',
  'visually-hidden',
];

/** Allows only classes that begin with one of the names, and the base classes. */
const onlyClassesOf = (files, names) => ({
  files,
  rules: {
    'selector-class-pattern': [
      `^(?:(?:${names.join('|')})(?:-[a-z0-9-]+)?|${BASE.join('|')})$`,
      {
        message: (selector) =>
          `"${selector}" is the class of another sheet: its name begins with that of its sheet`,
      },
    ],
  },
});

export default {
  ignoreFiles: 'dist/**',
  extends: ['stylelint-config-standard'],
  rules: {
    // A sheet is in the order of what it describes; cascade layers say what wins.
    'no-descending-specificity': null,
  },
  overrides: [
    ...SHEETS.map((sheet) => onlyClassesOf([sheet], namesOf([sheet]))),
    // How one application shows what both have.
    onlyClassesOf(['**/theme.css'], namesOf(SHEETS.filter((sheet) => sheet.startsWith('components/')))),
  ],
};
