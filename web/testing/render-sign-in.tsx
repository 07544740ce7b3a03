import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import type { ComponentProps, ReactNode } from 'react';
import { SignIn } from '../signing-in/sign-in.tsx';
import { renderScreen } from './render-screen.tsx';

/** How often the sign-in that was rendered last has been finished. */
export let timesDone = 0;

export const plainFrame = (title: string, content: ReactNode) => (
  <>
    <h1>{title}</h1>
    {content}
  </>
);

/** Renders the sign-in below its heading. @param state the state of the history's entry */
export const renderSignIn = (props: Partial<ComponentProps<typeof SignIn>> = {}, state?: unknown) => {
  timesDone = 0;
  return renderScreen(
    <SignIn
      frame={plainFrame}
      onDone={() => {
        timesDone += 1;
      }}
      {...props}
    />,
    { state },
  );
};

export const expectDone = () => waitFor(() => expect(timesDone).to.equal(1));
