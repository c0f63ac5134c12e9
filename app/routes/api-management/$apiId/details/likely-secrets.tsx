import { Button } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import type { LikelySecrets } from "./environments-input";

interface LikelySecretsProps {
  likely: readonly LikelySecrets[];
}

function NameList({ likely }: LikelySecretsProps) {
  return (
    <ul>
      {likely.map(({ environment, names }) => (
        <li key={environment}>
          {environment === null ? "Shared" : environment}:{" "}
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <code>{name}</code>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Saving waits until the user says whether these are secret. */
export function LikelySecretsNotice({ likely }: LikelySecretsProps) {
  return (
    <Notice
      role="alert"
      tone="warning"
      title="Not saved yet: some names look secret"
      actions={
        <Row>
          <Button name="likelySecrets" value="secret" size="small">
            Save them as secret
          </Button>
          <Button name="likelySecrets" value="plain" size="small" variant="quiet">
            Save them as plain
          </Button>
        </Row>
      }
    >
      <NameList likely={likely} />
      As plain variables, everyone who can open this API sees their values, and results show them. Secret ones are
      encrypted, masked in results and never shown again.
    </Notice>
  );
}

/** For variables that were stored as plain ones: a suggestion, nothing waits for it. */
export function SuggestedSecrets({ likely }: LikelySecretsProps) {
  return (
    <Notice
      title="Some plain variables look secret"
      actions={
        <Button name="likelySecrets" value="secret" size="small">
          Make them secret and save
        </Button>
      }
    >
      <NameList likely={likely} />
    </Notice>
  );
}
