/** A test, or a worker of a test run. */
export const LABEL = /^[a-z0-9-]{1,40}$/;
