import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { JsonView } from "~/ui/json-view/json-view";
import { Grid, Stack } from "~/ui/layout/layout";
import { Table } from "~/ui/table/table";
import type { Verification } from "../../../../services/test-analyzer/contract/verifications.ts";
import { outcomeWords, pointerWithinSchema, shortJson, verificationTitle } from "./verification-words";

/** One verification: what was expected, what came, where, and for a schema every place that does not fit. */
export function VerificationItem({ id, verification }: { id: string; verification: Verification }) {
  const { outcome, message, pointer, target, actual, schemaErrors, schema, comparison } = verification;
  const { word, tone, icon } = outcomeWords[outcome];
  const showsValues = outcome === "failed" && !schemaErrors?.length;
  return (
    <Card
      id={id}
      headingLevel={3}
      title={verificationTitle(verification)}
      description={message}
      actions={
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      }
    >
      {(showsValues || pointer || schemaErrors?.length || schema !== undefined) && (
        <Stack gap="medium">
          {(showsValues || pointer) && (
            <DefinitionList
              items={[
                showsValues &&
                  target !== undefined &&
                  comparison !== "matchesSchema" && {
                    term: "Expected",
                    value: <code>{shortJson(target, 2_000)}</code>,
                  },
                showsValues && { term: "Actual", value: <code>{shortJson(actual, 2_000)}</code> },
                pointer !== undefined && {
                  term: "Where",
                  value: <code>{pointer === "" ? "the whole body" : pointer}</code>,
                },
              ]}
            />
          )}
          {schemaErrors && schemaErrors.length > 0 && <SchemaErrors id={id} errors={schemaErrors} schema={schema} />}
          {!schemaErrors?.length && schema !== undefined && outcome === "failed" && (
            <JsonView id={`${id}-schema`} label="Documented schema" value={schema} openLevels={2} />
          )}
        </Stack>
      )}
    </Card>
  );
}

/** Several allowed types read as words, everything else as JSON. */
function documentedWords(expected: unknown): string {
  const words = Array.isArray(expected) && expected.every((one) => typeof one === "string");
  return words ? expected.join(" or ") : shortJson(expected);
}

interface SchemaErrorsProps {
  id: string;
  errors: NonNullable<Verification["schemaErrors"]>;
  schema: unknown;
}

function SchemaErrors({ id, errors, schema }: SchemaErrorsProps) {
  const rows = errors.map((error, index) => ({ ...error, key: `${index} ${error.pointer} ${error.schemaPointer}` }));
  return (
    <Grid cell="large">
      <Table
        caption="Where the body does not fit"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          {
            key: "pointer",
            header: "Where",
            rowHeader: true,
            cell: ({ pointer }) => <code>{pointer === "" ? "the whole body" : pointer}</code>,
          },
          { key: "message", header: "What is wrong", cell: ({ message }) => message },
          {
            key: "expected",
            header: "Documented",
            cell: ({ expected }) => (expected === undefined ? "–" : <code>{documentedWords(expected)}</code>),
          },
          {
            key: "actual",
            header: "Actual",
            cell: ({ actual }) => <code>{shortJson(actual)}</code>,
          },
        ]}
      />
      <Stack gap="small">
        <h4>Documented schema</h4>
        {schema === undefined ? (
          <CodeBlock
            label="Places in the schema"
            labelHidden
            code={errors.map(({ schemaPointer }) => schemaPointer).join("\n")}
          />
        ) : (
          <JsonView
            id={`${id}-schema`}
            label="Documented schema"
            value={schema}
            highlights={errors.map(({ schemaPointer, message }) => ({
              pointer: pointerWithinSchema(schemaPointer),
              tone: "danger" as const,
              note: message,
            }))}
          />
        )}
      </Stack>
    </Grid>
  );
}
