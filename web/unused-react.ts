import type { Plugin } from 'vite';

/**
 * Functions of react-dom that are called only for features that the pages do not use. react-dom is one CommonJS
 * file, which no bundler can tree-shake; without these features, each application loads 10 kB (gzip) less before
 * its first screen, a tenth.
 */
const UNUSED = {
  'HTML that a server has rendered': `
    canHydrateInstance clearHydrationBoundary hideOrUnhideDehydratedBoundary prepareToHydrateHostInstance
    queueIfContinuousEvent retryIfBlockedOn updateDehydratedSuspenseComponent`,
  '<ViewTransition>': `
    applyViewTransitionToHostInstancesRecursive commitAfterMutationEffectsOnFiber
    commitDeletedPairViewTransitions restoreViewTransitionName startViewTransition`,
  '<Activity> and <SuspenseList>': 'updateActivityComponent updateSuspenseListComponent',
  '<link>, <style> and <script>': `
    acquireResource getHydratableHoistableCache getResource insertStylesheetIntoRoot preconnectAs
    preinitModuleScript preinitScript preinitStyle preload preloadModule suspendResource`,
  'ref of <Fragment>': 'FragmentInstance commitNewChildToFragmentInstance deleteChildFromFragmentInstance',
  useActionState: 'mountActionState runActionStateAction updateActionStateImpl',
};

const NAMES = Object.values(UNUSED).join(' ').trim().split(/\s+/);

type Edit = { name: string; start: number; end: number; code: string };

/**
 * Replaces their bodies by a `throw`, and the minifier then removes what only they called. A page that uses one of
 * these features fails as soon as it does. The build fails when a new version of React has renamed a function.
 */
export const withoutUnusedReact = (): Plugin => ({
  name: 'without-unused-react',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler(code) {
      const edits = this.parse(code).body.flatMap((statement): Edit[] => {
        if (statement.type === 'FunctionDeclaration') {
          const { id, body } = statement;
          if (!(id && body && NAMES.includes(id.name))) return [];
          return [{ name: id.name, start: body.start, end: body.end, code: `{throw Error("${id.name}")}` }];
        }
        const { start, end } = statement;
        const isUnused = /^(?:FragmentInstance\.prototype|exports\.hydrateRoot)\b/.test(
          code.slice(start, end),
        );
        return isUnused ? [{ name: '', start, end, code: '' }] : [];
      });
      const missing = NAMES.filter((known) => !edits.some(({ name }) => name === known));
      if (missing.length > 0) throw new Error(`react-dom no longer has ${missing.join(', ')}`);
      return edits.reduceRight(
        (text, { start, end, code: replacement }) => text.slice(0, start) + replacement + text.slice(end),
        code,
      );
    },
  },
});
