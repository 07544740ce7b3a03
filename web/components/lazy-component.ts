import { lazy } from 'react';

/** Any component that React can load lazily. */
type Loaded = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default'];

/** The component that a module exports by this name, which is loaded when it is rendered first. */
export const lazyComponent = <Name extends string, Module extends Record<Name, Loaded>>(
  load: () => Promise<Module>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));
