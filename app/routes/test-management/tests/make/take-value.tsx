import { PathText } from "~/features/operation/path-text";
import { Button } from "~/ui/button/button";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { type Taking, valueField } from "./making";
import * as styles from "./take-value.css";
import type { ValueSource } from "./value-sources";

export interface TakeValueProps {
  name: string;
  sources: ValueSource[];
  taking: Taking | undefined;
}

/** Sends a GET that probably returns the value, and displays the response; a button copies it into the field. */
export function TakeValue({ name, sources, taking }: TakeValueProps) {
  return (
    <>
      {sources.map((source) => (
        <Button
          key={source.from.path}
          name="intent"
          value={`take:${JSON.stringify(source)}`}
          formAction={`#${valueField(name)}`}
          variant="quiet"
          size="small"
          icon="play"
          className={styles.source}
          data-takes={valueField(name)}
        >
          <span>
            Take it from GET <PathText path={source.from.path} />
          </span>
        </Button>
      ))}
      {taking && (taking.refusal ? <Refusal {...taking} /> : <Taken name={name} {...taking} />)}
    </>
  );
}

function Refusal({ from, refusal }: Taking) {
  return (
    <Notice tone="warning" role="status" title={`No value from GET ${from.path}`}>
      {refusal}
    </Notice>
  );
}

function Taken({ name, from, values }: Taking & { name: string }) {
  return (
    <FieldsetGroup legend={`GET ${from.path} answered`} role="group">
      <Stack gap="tiny">
        {values.map(({ value, words }) => (
          <Row key={value}>
            <Button
              name="intent"
              value={`fill:${JSON.stringify({ name, value })}`}
              formAction={`#${valueField(name)}`}
              size="small"
              className={styles.value}
              data-fills={valueField(name)}
              data-value={value}
            >
              <code>{value}</code> {words}
            </Button>
          </Row>
        ))}
      </Stack>
    </FieldsetGroup>
  );
}
