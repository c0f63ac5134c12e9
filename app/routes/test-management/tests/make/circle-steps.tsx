import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { OperationName } from "~/features/operation/operation-name";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./make-form.css";
import { type DisplayedCircle, type DisplayedStep, operationValue } from "./making";

const phases: [CirclePhase, string][] = [
  ["setUp", "Set-up"],
  ["main", "Main"],
  ["tearDown", "Tear-down"],
];

/** The steps of a circle in order, and what it does not have, folded. */
export function CircleSteps({ circle: { name, steps, leftOut } }: { circle: DisplayedCircle }) {
  return (
    <Disclosure
      className={styles.steps}
      summary={
        <span>
          {plural(steps.length, "step")}
          <VisuallyHidden> of {name}</VisuallyHidden>
        </span>
      }
    >
      {phases.map(([phase, words]) => (
        <Phase key={phase} words={words} steps={steps.filter((step) => step.phase === phase)} />
      ))}
      {leftOut.length > 0 && (
        <>
          <p className={styles.phase}>Left out</p>
          <ul className={styles.list}>
            {leftOut.map(({ operation, reason }) => (
              <li key={`${operationValue(operation)} ${reason}`}>
                <OperationName {...operation} /> {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Disclosure>
  );
}

function Phase({ words, steps }: { words: string; steps: DisplayedStep[] }) {
  if (steps.length === 0) return null;
  return (
    <>
      <p className={styles.phase}>{words}</p>
      <ol className={styles.list}>
        {steps.map(({ method, path, name, why, lacks }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps repeat and never move
          <li key={index}>
            <OperationName method={method} path={path} /> {name}
            {why && <span className={styles.description}> {why}</span>}
            {lacks.length > 0 && <strong> Left out without {lacks.join(", ")}.</strong>}
          </li>
        ))}
      </ol>
    </>
  );
}
