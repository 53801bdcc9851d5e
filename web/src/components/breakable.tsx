/** A path or an address, broken over lines where its parts end and not within a word. */
import { Fragment } from 'preact';

export function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=[/:@,])/).map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
