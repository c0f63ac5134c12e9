import type { Judgement, Verification } from "#contracts/test-analyzer/verifications.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { Badge } from "~/ui/badge/badge";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Row } from "~/ui/layout/layout";
import type { Tone } from "~/ui/tone";
import { checkWords } from "../check-words.ts";
import * as styles from "./judgement-list.css";

const tones: Record<Verification["outcome"], { tone: Tone; word: string }> = {
  passed: { tone: "success", word: "Passed" },
  failed: { tone: "danger", word: "Failed" },
  errored: { tone: "warning", word: "Errored" },
  skipped: { tone: "neutral", word: "Skipped" },
};

/** The results of assertions and checks for the response, worst first. */
export function JudgementList({ judgement }: { judgement: Judgement }) {
  const { verdict, verifications } = judgement;
  const order: Verification["outcome"][] = ["failed", "errored", "passed", "skipped"];
  const sorted = [...verifications].sort((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  return (
    <Disclosure
      open={verdict !== "passed"}
      summary={
        <Row gap="small">
          The test would be <VerdictBadge status={verdict} />
        </Row>
      }
    >
      <ul className={styles.list}>
        {sorted.map(({ kind, source, property, comparison, outcome, message }) => (
          <li key={[kind, source, property, comparison, message].join(" ")} className={styles.item}>
            <Badge tone={tones[outcome].tone}>{tones[outcome].word}</Badge>
            <span>
              {kind === "check" && <strong>{checkWords[source as CheckName]?.label ?? source}: </strong>}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
