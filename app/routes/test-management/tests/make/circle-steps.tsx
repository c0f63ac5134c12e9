import { useLocation } from "@remix-run/react";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { OperationName } from "~/features/operation/operation-name";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./make-form.css";
import { type DisplayedCircle, type DisplayedStep, openedCircle, operationValue } from "./making";

const phases: [CirclePhase, string][] = [
  ["setUp", "Set-up"],
  ["main", "Main"],
  ["tearDown", "Tear-down"],
];

/** The steps of a circle in order, and what it does not have, folded; or a link to them. */
export function CircleSteps({ circle }: { circle: DisplayedCircle }) {
  const { key, name, steps, stepCount, leftOut, isOpen } = circle;
  const { search } = useLocation();
  const summary = (
    <span>
      {plural(stepCount, "step")}
      <VisuallyHidden> of {name}</VisuallyHidden>
    </span>
  );
  if (!steps) {
    const opened = new URLSearchParams(search);
    opened.set(openedCircle, key);
    return (
      <a href={`?${opened}#opened`} className={styles.stepsLink}>
        {summary}
      </a>
    );
  }
  return (
    <Disclosure className={styles.steps} summary={summary} open={isOpen} id={isOpen ? "opened" : undefined}>
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
