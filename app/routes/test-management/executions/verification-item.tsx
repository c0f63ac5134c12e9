import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { JsonView } from "~/ui/json-view/json-view";
import { Stack } from "~/ui/layout/layout";
import type { DocumentedLocation } from "./documented-locations";
import { DocumentedSchemas, type Reference } from "./documented-schemas";
import * as styles from "./verification-list.css";
import { outcomeWords, verificationTitle } from "./verification-words";

interface VerificationItemProps {
  id: string;
  verification: Verification;
  /** Address of the dialog that accepts the actual value. */
  acceptHref?: string;
  /** The violated schemas. */
  locations: readonly DocumentedLocation[];
  reference: Reference;
}

/** A failed verification: the expected and the actual value, the location, and for a schema every violation. */
export function VerificationItem({ id, verification, acceptHref, locations, reference }: VerificationItemProps) {
  const { outcome, message, actual, actualJson, schemaErrors = [] } = verification;
  const { word, tone, icon } = outcomeWords[outcome];
  return (
    <Card
      id={id}
      headingLevel={3}
      title={verificationTitle(verification)}
      actions={
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      }
    >
      <Stack gap="medium">
        {schemaErrors.length === 0 ? (
          <p className={styles.message}>{message}</p>
        ) : (
          <ul className={styles.list}>
            {[...new Set(schemaErrors.map((error) => error.message))].map((error) => (
              <li key={error} className={styles.message}>
                {error}
              </li>
            ))}
          </ul>
        )}
        {schemaErrors.length === 0 && typeof actual === "object" && actual !== null && (
          <JsonView id={`${id}-actual`} label="What was found" value={actual} text={actualJson} openLevels={2} />
        )}
        {acceptHref && (
          <div>
            <LinkButton href={acceptHref} size="small" icon="check">
              Update expected value…
            </LinkButton>
          </div>
        )}
        <DocumentedSchemas id={id} locations={locations} reference={reference} />
      </Stack>
    </Card>
  );
}
