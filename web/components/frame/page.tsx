import { Fragment, type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useScreenFocus, useTitle } from '../../page/navigation.ts';
import { useDismissLeftStatus } from '../status.tsx';
import { StatusLine } from './status-line.tsx';

type PageProps = {
  /** The title of the document, without the name of a person. */
  title: string;
  /** The heading, if it differs from the title: a person's name. */
  heading?: ReactNode;
  /** Elements beside the heading: badges, or the number of results. */
  aside?: ReactNode;
  /** An element before the heading: the initials of a person. */
  mark?: ReactNode;
  /** The line below the heading, such as the address and the id of a person. */
  line?: ReactNode;
  /** The buttons at the right of the heading. */
  actions?: ReactNode;
  breadcrumbs?: readonly (readonly [label: ReactNode, href: string])[];
  children: ReactNode;
};

/** One screen with one heading. */
export const Page = (props: PageProps) => {
  const { title, heading, mark, aside, line, actions, breadcrumbs = [], children } = props;
  const dismissLeft = useDismissLeftStatus();
  useTitle(title);
  useScreenFocus(title);
  useEffect(() => dismissLeft, [dismissLeft]);
  return (
    <>
      {breadcrumbs.length > 0 && (
        <nav className="breadcrumbs" aria-label={title}>
          {breadcrumbs.map(([label, href]) => (
            <Fragment key={href}>
              <Link href={href}>{label}</Link> /{' '}
            </Fragment>
          ))}
          <span aria-current="page">
            <bdi>{heading ?? title}</bdi>
          </span>
        </nav>
      )}
      <div className={mark ? 'page-head thing-head' : 'page-head'}>
        {mark}
        <div className="page-head-text">
          <div className="row">
            <h1 tabIndex={-1}>
              <bdi>{heading ?? title}</bdi>
            </h1>
            {aside}
          </div>
          {line}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      <StatusLine />
      {children}
    </>
  );
};
