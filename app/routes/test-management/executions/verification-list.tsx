import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Icon } from "~/ui/icon/icon";
import { Stack } from "~/ui/layout/layout";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { acceptedAssertion } from "./accepted-assertion";
import type { DocumentedLocation } from "./documented-locations";
import type { Reference } from "./documented-schemas";
import { VerificationItem } from "./verification-item";
import * as styles from "./verification-list.css";
import { outcomeCounts, outcomeWords, verificationTitle, worstFirst } from "./verification-words";

interface VerificationListProps {
  /** Undefined where unknown. */
  verifications: readonly Verification[] | undefined;
  /** Address of the dialog that accepts the actual value; undefined for viewers who may not. */
  getAcceptHref?: (assertion: number) => string;
  /** The schemas that each violates, in the same order. */
  locations: readonly (readonly DocumentedLocation[])[];
  reference: Reference;
}

/** The verifications: failed ones in full detail, the others in one line each. */
export function VerificationList({ verifications, getAcceptHref, locations, reference }: VerificationListProps) {
  const sorted = worstFirst(verifications ?? []);
  const failed = sorted.filter(({ outcome }) => outcome === "failed");
  const others = sorted.filter(({ outcome }) => outcome !== "failed");
  return (
    <section aria-labelledby="verifications">
      <Stack gap="medium">
        <h2 id="verifications">Verifications{sorted.length > 0 && `: ${outcomeCounts(sorted)}`}</h2>
        {verifications === undefined && <p>Not available right now.</p>}
        {verifications?.length === 0 && (
          <EmptyState headingLevel={3} title="Nothing was verified">
            There is no response to evaluate. The reason is above.
          </EmptyState>
        )}
        {failed.map((verification, index) => {
          const number = verifications!.indexOf(verification);
          return (
            <VerificationItem
              key={number}
              id={`verification-${index + 1}`}
              verification={verification}
              acceptHref={acceptedAssertion(verification) && getAcceptHref?.(number)}
              locations={locations[number] ?? []}
              reference={reference}
            />
          );
        })}
        {others.length > 0 && (
          <ul className={styles.list}>
            {others.map((verification, index) => (
              <VerificationLine
                // biome-ignore lint/suspicious/noArrayIndexKey: a test may hold the same assertion twice, and nothing is reordered
                key={index}
                verification={verification}
              />
            ))}
          </ul>
        )}
      </Stack>
    </section>
  );
}

function VerificationLine({ verification }: { verification: Verification }) {
  const { outcome, message } = verification;
  const { word, icon, tone } = outcomeWords[outcome];
  return (
    <li className={styles.line}>
      <Icon name={icon} className={styles.outcome[tone]} />
      <span>
        <VisuallyHidden>{word}: </VisuallyHidden>
        {verificationTitle(verification)}
        {outcome !== "passed" && <span className={styles.why}>{` ${message}`}</span>}
      </span>
    </li>
  );
}
