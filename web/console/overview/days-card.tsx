import { useState } from 'react';
import { RightIcon } from '../../components/icons.tsx';
import { UnknownValue } from '../../components/states.tsx';
import { formatChange, formatDay, formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import type { Statistics } from '../statistics.ts';
import { countDays, type Kind, listShownDays } from './days.ts';
import { OVERVIEW } from './overview-words.ts';

const KINDS: readonly Kind[] = ['signUps', 'signIns', 'failedSignIns'];
const WIDTH = 308;
const HEIGHT = 56;
const STEP = WIDTH / 14;

const Bars = ({ values, label, isBad }: { values: readonly number[]; label: string; isBad: boolean }) => {
  const highest = Math.max(1, ...values);
  return (
    <svg
      className={isBad ? 'chart chart-bad' : 'chart'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${values.map(formatNumber).join(', ')}`}
    >
      <line x1="0" y1={HEIGHT - 0.5} x2={WIDTH} y2={HEIGHT - 0.5} />
      {values.map((value, index) => {
        const height = Math.max(1, (value / highest) * (HEIGHT - 4));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the days are always in this order.
            key={index}
            // The last bar looks different, because today is not over.
            className={index === values.length - 1 ? 'chart-today' : undefined}
            x={index * STEP + 4}
            y={HEIGHT - 1 - height}
            width={STEP - 9}
            height={height}
            rx="2"
          />
        );
      })}
    </svg>
  );
};

/** The change since the 14 days before. It has its sign, so that the colour only supports it. */
const Change = ({ change, isBad }: { change: number | undefined; isBad: boolean }) => {
  if (change === undefined) return null;
  const rise = isBad ? 'chart-change-bad' : 'chart-change-good';
  return (
    <span className={`chart-change ${change > 0 ? rise : 'chart-change-none'}`}>{formatChange(change)}</span>
  );
};

/** The shape of the card, while it is loaded for the first time. */
const Unloaded = () => {
  const words = useWords(OVERVIEW);
  return (
    <div className="third-row">
      {KINDS.map((kind) => (
        <div key={kind} className="third">
          <h3 className="third-label">{words[kind]}</h3>
          <p className="third-number">
            <UnknownValue />
          </p>
          <p className="third-note">
            <UnknownValue />
          </p>
          <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />
          <p className="chart-days">{'\u00a0'}</p>
        </div>
      ))}
    </div>
  );
};

type DaysProps = { days: Statistics['days'] };

/** Sign-ups, sign-ins and failed ones as bars, with the 14 days before, and as a table. */
export const DaysCard = ({ days }: { days: Statistics['days'] | undefined }) => {
  const words = useWords(OVERVIEW);
  if (days) return <LoadedDays days={days} />;
  return (
    <section className="card" aria-label={words.days} aria-busy="true">
      <div className="card-head">
        <h2>
          {words.days} <span className="muted small">({words.utc})</span>
        </h2>
      </div>
      <Unloaded />
    </section>
  );
};

const LoadedDays = ({ days }: DaysProps) => {
  const words = useWords(OVERVIEW);
  const [isOpen, setOpen] = useState(false);
  const shown = listShownDays(days);
  const counts = KINDS.map((kind) => ({ kind, ...countDays(days, kind) }));
  return (
    <section className="card" aria-labelledby="days">
      <div className="card-head">
        <h2 id="days">
          {words.days} <span className="muted small">({words.utc})</span>
        </h2>
        <button
          type="button"
          className="link chart-disclosure"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.hideNumbers : words.showNumbers}
          <RightIcon />
        </button>
      </div>
      <div className="third-row">
        {counts.map(({ kind, values, total, before, change }) => (
          <div key={kind} className="third">
            <h3 className="third-label">{words[kind]}</h3>
            <p className="third-number">
              {formatNumber(total)} <Change change={change} isBad={kind === 'failedSignIns'} />
            </p>
            <p className="third-note">{words.before(formatNumber(before))}</p>
            <Bars values={values} label={words[kind]} isBad={kind === 'failedSignIns'} />
            <p className="chart-days">
              <span>{formatDay(shown[0])}</span>
              <span>{words.today}</span>
            </p>
          </div>
        ))}
      </div>
      {isOpen && (
        <table className="numbers">
          <caption className="visually-hidden">{words.days}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col">
                  {words[kind]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown
              .map((day, index) => (
                <tr key={day}>
                  <th scope="row">{formatDay(day)}</th>
                  {counts.map(({ kind, values }) => (
                    <td key={kind}>{formatNumber(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      )}
    </section>
  );
};
