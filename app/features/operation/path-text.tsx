import { Fragment } from "react";

/** A path with line breaks allowed before its slashes. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=.)(?=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts repeat and never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
