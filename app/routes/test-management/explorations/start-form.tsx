import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { z } from "zod";
import { defaultExploration } from "#contracts/test-executioner/explorations.ts";
import { checkboxProps, fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Grid, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { explorationForm } from "./exploration-form";

export interface StartFormProps {
  apiId: string;
  environments: readonly string[];
  /** The one in the header of the API. */
  chosen: string | undefined;
  isDisposable: boolean;
  mayChangeApi: boolean;
  result: SubmissionResult | undefined;
}

/** Starts an exploration. */
export function StartForm({ apiId, environments, chosen, isDisposable, mayChangeApi, result }: StartFormProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<z.input<typeof explorationForm>>({
    id: "exploration",
    lastResult: result ?? stored,
    defaultValue: { ...defaultExploration, environment: chosen ?? "" },
  });
  return (
    <form method="post" {...getFormProps(form)}>
      <Card
        title="Explore the API"
        footer={
          <Button variant="primary" icon="play" name="intent" value="start">
            Start exploring
          </Button>
        }
      >
        <Stack>
          <FormErrorSummary form={form} />
          {environments.length > 0 && (
            <Select
              label="Environment"
              options={[
                { value: "", label: "None: the API's own base URL" },
                ...environments.map((name) => ({ value: name, label: name })),
              ]}
              {...fieldProps(fields.environment)}
            />
          )}
          <Grid cell="small">
            <TextField label="Requests, at most" inputMode="numeric" {...fieldProps(fields.maxRequests)} />
            <TextField label="Seconds, at most" inputMode="numeric" {...fieldProps(fields.maxSeconds)} />
            <TextField label="Requests a second" inputMode="numeric" {...fieldProps(fields.requestsPerSecond)} />
            <TextField
              label="Seed, to repeat an earlier one"
              required={false}
              inputMode="numeric"
              {...fieldProps(fields.seed)}
            />
          </Grid>
          <Checkbox
            label="Also create, change and delete its own data"
            disabled={!isDisposable}
            hint={
              isDisposable ? (
                "Data it created is deleted at the end, if the API has an operation for it. Otherwise only safe methods are used."
              ) : (
                <NotDisposable apiId={apiId} mayChangeApi={mayChangeApi} />
              )
            }
            {...checkboxProps(fields.changes)}
          />
        </Stack>
      </Card>
    </form>
  );
}

function NotDisposable({ apiId, mayChangeApi }: Pick<StartFormProps, "apiId" | "mayChangeApi">) {
  return (
    <>
      The data of this API is not marked as disposable, so only safe methods are used.{" "}
      {mayChangeApi ? (
        <a href={href("/api-management/:apiId/details/edit", { apiId })}>Mark it on the API's edit page</a>
      ) : (
        "Users with permission to edit the API can mark it."
      )}
    </>
  );
}
