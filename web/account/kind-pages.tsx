import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import { lazyComponent } from '../components/lazy-component.ts';
import { WithQueries } from '../components/with-queries.tsx';
import { PlatformProvider } from '../session/platform.ts';
import { type AccountKind, getPlatform } from './kinds.ts';
import { SignInPage } from './sign-in-page.tsx';

// The sign-in page is in the first file; each other page is loaded when it is opened.
const SignUpPage = lazyComponent(() => import('./sign-up-page.tsx'), 'SignUpPage');
const ResetPasswordPage = lazyComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage');
const CallbackPage = lazyComponent(() => import('./callback-page.tsx'), 'CallbackPage');
const SignedInPages = lazyComponent(() => import('./signed-in-pages.tsx'), 'SignedInPages');

/** All pages of one kind. */
export const KindPages = ({ kind }: { kind: AccountKind }) => {
  const platform = getPlatform(kind);
  return (
    <PlatformProvider value={platform}>
      <WithQueries>
        <Suspense fallback={<FirstPaint />}>
          <Switch>
            <Route path="/sign-in" component={SignInPage} />
            <Route path="/sign-up" component={SignUpPage} />
            <Route path="/reset-password" component={ResetPasswordPage} />
            <Route path="/callback/:provider">
              <CallbackPage kind={kind} />
            </Route>
            <Route component={SignedInPages} />
          </Switch>
        </Suspense>
      </WithQueries>
    </PlatformProvider>
  );
};
