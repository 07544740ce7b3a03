import { expect } from 'chai';
import { renderScreen } from '../../testing/render-screen.tsx';
import { findField, user } from '../../testing/screen.ts';
import { useShortcuts } from './shortcuts.ts';

const LOOKS = ['button-main', 'button-danger'];

const Forms = ({ onSend }: { onSend: (look: string) => void }) => {
  useShortcuts({ isOn: true, places: {}, showHelp: () => undefined });
  return LOOKS.map((look) => (
    <form
      key={look}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(look);
      }}
    >
      <input aria-label={look} />
      <button type="submit" className={look}>
        Send
      </button>
    </form>
  ));
};

describe('shortcuts', () => {
  it('save the form of the field by Ctrl S, but none with a red button', async () => {
    const sent: string[] = [];
    await renderScreen(<Forms onSend={(look) => sent.push(look)} />);
    for (const look of LOOKS) {
      (await findField(look)).focus();
      await user.keyboard('{Control>}s{/Control}');
    }
    expect(sent).to.deep.equal(['button-main']);
  });
});
