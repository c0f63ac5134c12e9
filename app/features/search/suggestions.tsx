import { whatIsAway } from "~/backend/parts";
import { plural } from "~/ui/count/plural";
import { type Found, kinds } from "./found";
import * as styles from "./palette.css";

/** The groups of the listbox in the search dialog, and a sentence for its status. */
export function Suggestions({ query, found: { groups, away } }: { query: string; found: Found }) {
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const missing = away.length > 0 && `${whatIsAway(away)}. Try again shortly.`;
  return (
    <>
      {groups.map(({ kind, hits, total, hasMore }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups and options only.
        <div key={kind} role="group" aria-labelledby={`found-${kind}`}>
          <div id={`found-${kind}`} role="presentation" className={styles.kind}>
            {kinds[kind]}
            {(hasMore || total > hits.length) && ` · ${hits.length} of ${hasMore ? `more than ${total}` : total}`}
          </div>
          {hits.map(({ href, name, what, where }, index) => (
            <a
              key={href}
              id={`found-${kind}-${index}`}
              role="option"
              aria-selected="false"
              tabIndex={-1}
              href={href}
              className={styles.option}
            >
              <span className={styles.name}>{name}</span>
              {(what || where) && (
                <span className={styles.details}>
                  {what}
                  {what && where && " · "}
                  {where}
                </span>
              )}
            </a>
          ))}
        </div>
      ))}
      {query && (
        <template
          data-says={[count === 0 ? "Nothing matches." : `${plural(count, "result")}.`, missing]
            .filter(Boolean)
            .join(" ")}
        />
      )}
    </>
  );
}
