import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Grid, Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { isMissing, type NeededValue, type Taking, valueField } from "./making";
import { TakeValue } from "./take-value";

export interface ValuesNeededProps {
  values: NeededValue[];
  /** Unsaved input. */
  typed?: Record<string, string>;
  taking?: Taking;
}

/** The rest is folded, which keeps the operations in sight. */
const maxDisplayed = 8;

/** Values that the document does not give, requested once however many tests use them. The most used come first. */
export function ValuesNeeded({ values, typed, taking }: ValuesNeededProps) {
  if (values.length === 0) return null;
  const missing = values.filter(isMissing).length;
  const [first, others] = [values.slice(0, maxDisplayed), values.slice(maxDisplayed)];
  const isOpen = others.some(({ name }) => name === taking?.use.variable || (typed && Object.hasOwn(typed, name)));
  return (
    <Card
      title="Values needed"
      description={
        missing === 0
          ? "The document gives none of these. Tests send what stands here."
          : `The document gives none of these, and none is made up. Tests that use ${missing === 1 ? "the empty one" : "an empty one"} are created, but not run.`
      }
    >
      <Stack gap="medium" id="values">
        <ValueFields {...{ values: first, typed, taking }} />
        {others.length > 0 && (
          <Disclosure summary={plural(others.length, "more value")} open={isOpen}>
            <ValueFields {...{ values: others, typed, taking }} />
          </Disclosure>
        )}
        <Row>
          <Button name="intent" value="save-values">
            Save values
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}

function ValueFields({ values, typed = {}, taking }: ValuesNeededProps) {
  return (
    <Grid gap="medium">
      {values.map(({ name, value, usedBy, fromDocument, environment, sources }) => (
        <Stack key={name} gap="tiny">
          <TextField
            id={valueField(name)}
            name={valueField(name)}
            label={name}
            required={false}
            code
            defaultValue={Object.hasOwn(typed, name) ? typed[name] : value}
            maxLength={10_000}
            hint={`Used by ${plural(usedBy, "operation")}${fromDocument ? ", from an example in the document" : ""}${environment === undefined ? "" : `, given by environment ${environment}`}`}
          />
          <TakeValue name={name} sources={sources} taking={taking?.use.variable === name ? taking : undefined} />
        </Stack>
      ))}
    </Grid>
  );
}
