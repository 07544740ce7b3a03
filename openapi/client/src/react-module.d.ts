/** The part of React that react.ts uses, so that the client can be type-checked without React. */
declare module 'react' {
  export const useEffect: (effect: () => void, dependencies: readonly unknown[]) => void;
  export const useState: <Value>(initial: () => Value) => [Value, (value: Value) => void];
  export const useSyncExternalStore: <Snapshot>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot: () => Snapshot,
  ) => Snapshot;
}
