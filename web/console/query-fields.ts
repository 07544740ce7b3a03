type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Leaves out what is undefined, because a query has no such parameter then. */
export const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;

/** Returns the filter of an address if it is one of the API's values: anybody can type an address. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value | undefined => values.find((value) => value === text);

/** Returns the filter of an address if `names` has it. */
export const keyOf = <Value extends string>(
  names: Readonly<Record<Value, string>>,
  text: string | undefined,
): Value | undefined => oneOf(Object.keys(names) as Value[], text);

/** Reads `true` and `false` from an address. */
export const toBoolean = (text: string | undefined): boolean | undefined =>
  text === 'true' || text === 'false' ? text === 'true' : undefined;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
