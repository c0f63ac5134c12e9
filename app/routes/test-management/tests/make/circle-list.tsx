import type { ReactNode } from "react";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Icon } from "~/ui/icon/icon";
import { Row } from "~/ui/layout/layout";
import { visuallyHidden } from "~/ui/visually-hidden/visually-hidden.css";
import { CircleSteps } from "./circle-steps";
import * as styles from "./make-form.css";
import type { DisplayedCircle } from "./making";

export interface CircleListProps {
  circles: DisplayedCircle[];
  /** Keys. */
  ticked: ReadonlySet<string>;
  /** Buttons above the list. */
  children: ReactNode;
}

/** The plan: what each circle sends in order, makes, removes and leaves. */
export function CircleList({ circles, ticked, children }: CircleListProps) {
  const toMake = circles.filter(({ madeAt }) => !madeAt).length;
  return (
    <fieldset className={styles.group}>
      <legend className={visuallyHidden}>Circles</legend>
      <Row justify="between" className={styles.buttons}>
        {children}
        {toMake > 1 && (
          <Row gap="tiny">
            <TickButton value="tick-safe">Select all safe</TickButton>
            <TickButton value="tick-none">Deselect all</TickButton>
          </Row>
        )}
      </Row>
      <ul className={styles.rows}>
        {circles.map((circle, index) => (
          <li key={circle.key} className={styles.row}>
            {circle.madeAt ? (
              <Made {...circle} madeAt={circle.madeAt} />
            ) : (
              <Tickable id={`circle-${index}`} circle={circle} ticked={ticked.has(circle.key)} />
            )}
            <CircleSteps circle={circle} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function TickButton({ value, children }: { value: "tick-safe" | "tick-none"; children: string }) {
  return (
    <Button name="intent" value={value} size="small" variant="quiet" data-ticks={value}>
      {children}
    </Button>
  );
}

function Tickable({ id, circle, ticked }: { id: string; circle: DisplayedCircle; ticked: boolean }) {
  const { key, name, isTickedAtFirst } = circle;
  return (
    <Checkbox
      id={id}
      name="circle"
      value={key}
      defaultChecked={ticked}
      data-safe={isTickedAtFirst || undefined}
      label={
        <Row gap="small">
          {name}
          <Marks {...circle} />
        </Row>
      }
      hint={<Summary {...circle} />}
    />
  );
}

function Made(circle: DisplayedCircle & { madeAt: string }) {
  return (
    <div className={styles.settled}>
      <Icon name="check" className={styles.settledIcon} />
      <div>
        <Row gap="small">
          <a href={circle.madeAt}>{circle.name}</a>
          <Badge tone="success">Made</Badge>
          <Marks {...circle} />
        </Row>
        <p className={styles.description}>
          <Summary {...circle} lacks={[]} />
        </p>
      </div>
    </div>
  );
}

function Marks({ isSafe, leaves }: DisplayedCircle) {
  return (
    <>
      {!isSafe && <Badge tone="warning">Changes existing data</Badge>}
      {leaves.map((thing) => (
        <Badge key={thing} tone="warning" className={styles.long}>
          Leaves {thing}: no operation removes it
        </Badge>
      ))}
    </>
  );
}

const list = new Intl.ListFormat("en");

function Summary({ line, effect, lacks, lacksAll, lackingSteps }: DisplayedCircle) {
  const left = lacksAll ? "is not created" : `leaves out ${plural(lackingSteps, "step")}`;
  return (
    <>
      {[line, effect].filter(Boolean).join(". ")}
      {lacks.length > 0 && <strong>{` Without ${list.format(lacks)} it ${left}.`}</strong>}
    </>
  );
}
