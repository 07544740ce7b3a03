export default {
  extends: ['stylelint-config-standard'],
  rules: {
    // A sheet is in the order of what it describes; cascade layers say what wins.
    'no-descending-specificity': null,
  },
};
