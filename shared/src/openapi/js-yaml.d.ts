// Version 4, which express-openapi-validator installs too, has no types.
declare module 'js-yaml' {
  /** The types of YAML 1.2. The default schema also makes a Date of an unquoted date. */
  export const CORE_SCHEMA: object;
  export const load: (text: string, options: { schema: object }) => unknown;
}
