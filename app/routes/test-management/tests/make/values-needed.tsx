import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Grid, Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { isMissing, type NeededValue, valueField } from "./making";

export interface ValuesNeededProps {
  values: NeededValue[];
  /** Unsaved input. */
  typed?: Record<string, string>;
}

/** The rest is folded, which keeps the plan in sight. */
const maxDisplayed = 8;

/** Values that only a person knows, requested once however many tests use them. The most used come first. */
export function ValuesNeeded({ values, typed }: ValuesNeededProps) {
  if (values.length === 0) return null;
  const missing = values.filter(isMissing).length;
  const [first, others] = [values.slice(0, maxDisplayed), values.slice(maxDisplayed)];
  const isOpen = others.some(({ name }) => typed && Object.hasOwn(typed, name));
  return (
    <Card
      title="Values needed"
      description={
        missing === 0
          ? "Neither the document nor another operation provides these. Tests send the values entered here."
          : `Neither the document nor another operation provides these. Tests that use ${missing === 1 ? "the empty one" : "an empty one"} are skipped.`
      }
    >
      <Stack gap="medium" id="values">
        <ValueFields {...{ values: first, typed }} />
        {others.length > 0 && (
          <Disclosure summary={plural(others.length, "more value")} open={isOpen}>
            <ValueFields {...{ values: others, typed }} />
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

function ValueFields({ values, typed = {} }: ValuesNeededProps) {
  return (
    <Grid gap="medium">
      {values.map(({ name, value, usedBy, fromDocument, isSecret, environment }) => (
        <TextField
          key={name}
          id={valueField(name)}
          name={valueField(name)}
          label={name}
          required={false}
          code
          type={isSecret ? "password" : undefined}
          autoComplete={isSecret ? "off" : undefined}
          defaultValue={Object.hasOwn(typed, name) ? typed[name] : value}
          maxLength={10_000}
          hint={`Used by ${plural(usedBy, "test")}${fromDocument ? ", from an example in the document" : ""}${environment === undefined ? "" : `, given by environment ${environment}`}${isSecret ? ". A secret is stored: leave this empty to keep it" : ""}`}
        />
      ))}
    </Grid>
  );
}
