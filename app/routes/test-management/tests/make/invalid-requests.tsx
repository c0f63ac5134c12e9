import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import * as styles from "./make-form.css";
import { type DisplayedRefusals, invalidField } from "./making";

/** Circles named on the page; the others are counted. */
const maxNamed = 30;

/** Whether invalid requests are sent, too, for the ticked circles. */
export function InvalidRequests({ refusals, ticked }: { refusals: DisplayedRefusals; ticked: boolean }) {
  const { circles, cases } = refusals;
  if (circles.length === 0) return null;
  const toMake = circles.filter(({ madeAt }) => !madeAt);
  const more = circles.length - maxNamed;
  return (
    <div className={styles.all}>
      {toMake.length > 0 && (
        <Checkbox
          id={invalidField}
          name={invalidField}
          value="yes"
          defaultChecked={ticked}
          label={`Also send invalid requests: ${plural(cases, "case")}`}
          hint="Each breaks one rule of the document, and the API has to reject it. They are added to the selected or created circles and change only what those create. Anything accepted by mistake is removed again."
        />
      )}
      <Disclosure summary={`${plural(circles.length, "circle")} of invalid requests`}>
        <ul className={styles.list}>
          {circles.slice(0, maxNamed).map(({ name, cases: own, madeAt }) => (
            <li key={name}>
              {madeAt ? <a href={madeAt}>{name}</a> : name}: {plural(own, "case")}
              {madeAt && ", made"}
            </li>
          ))}
          {more > 0 && <li>{plural(more, "more circle")}</li>}
        </ul>
      </Disclosure>
    </div>
  );
}
