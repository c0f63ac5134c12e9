import type { OperationKey } from "~/features/operation/operation-key";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Grid, Row, Stack } from "~/ui/layout/layout";
import { Select, type SelectOption } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { RequestBodyField, RequestError } from "./request-body";
import { RequestBodyFields } from "./request-body-fields";
import { type Outcome, RequestOutcome } from "./request-outcome";
import type { RequestField } from "./request-values";

export interface RequestFormProps {
  apiId: string;
  operation: OperationKey;
  /** Groups of the sidebar that the user has opened. */
  open?: string;
  baseUrl: string;
  /** The active environment, which has this base URL. */
  environment?: string;
  /** Why the base URL is not the environment's or the API's. */
  ownServerNote?: string;
  fields: readonly RequestField[];
  body?: RequestBodyField;
  credentials: readonly SelectOption[];
  /** Names of the credentials stored for the host, where known. */
  stored?: readonly string[];
  /** The submitted values, when the form is rendered again. */
  typed?: Record<string, string>;
  errors: readonly RequestError[];
  outcome?: Outcome;
}

function storedWords(names: readonly string[] | undefined): string {
  if (!names) return "Credentials stored for this host";
  if (names.length === 0) return "No credentials for this host";
  return names.length > 3 ? `${names.length} stored for this host` : `Stored for this host: ${names.join(", ")}`;
}

function hintAtBaseUrl({ ownServerNote, environment }: RequestFormProps): string | undefined {
  if (ownServerNote) return `${ownServerNote[0]!.toUpperCase()}${ownServerNote.slice(1)}.`;
  return environment && `Of the environment ${environment}.`;
}

/**
 * Sends one request. A server-side form: the page is rendered again with the response below it. The island
 * `swagger-viewer` only avoids the reload.
 */
export function RequestForm(props: RequestFormProps) {
  const { apiId, operation, open, baseUrl, fields, body, credentials, stored, typed, errors } = props;
  const { method, path } = operation;
  const getErrors = (field: string) => errors.filter((error) => error.field === field).map(({ message }) => message);
  const typedOr = (name: string, initial: string) => typed?.[name] ?? initial;
  const takesFiles = Boolean(body && body.files.length > 0);
  return (
    <Card
      id="send"
      title="Send a request"
      description={`Sent from the server, with stored credentials. ${takesFiles ? "Only files are stored, for one day." : "Nothing is stored."}`}
    >
      <Stack>
        <form
          method="post"
          encType={takesFiles ? "multipart/form-data" : undefined}
          action={`${href("/api-management/:apiId/swagger/operation", { apiId }, { method, path, open })}#response`}
          {...islandAttributes("swagger-viewer")}
          data-when="idle"
          data-part="send"
          data-address={href("/api-management/:apiId/swagger/send", { apiId }, { method, path })}
        >
          <Stack>
            <Grid cell="medium">
              <TextField
                label="Base URL"
                id="send-baseUrl"
                name="baseUrl"
                inputMode="url"
                hint={hintAtBaseUrl(props)}
                code
                defaultValue={typedOr("baseUrl", baseUrl)}
                placeholder="https://api.example.com/v1"
              />
              <Select
                label="Authorization"
                id="send-authorization"
                name="authorization"
                defaultValue={typedOr("authorization", "inherit")}
                options={[
                  { value: "inherit", label: storedWords(stored) },
                  { value: "none", label: "None" },
                  ...credentials,
                ]}
              />
            </Grid>
            {fields.length > 0 && (
              <Grid cell="medium">
                {fields.map(({ name, label, location: place, required, value, placeholder, hint }) => (
                  <TextField
                    key={name}
                    label={
                      <>
                        <code>{label}</code> in {place === "querystring" ? "the query" : place}
                      </>
                    }
                    id={`send-${name}`}
                    name={name}
                    required={required ? undefined : false}
                    hint={hint}
                    code
                    errors={getErrors(name)}
                    defaultValue={typedOr(name, value)}
                    placeholder={placeholder}
                  />
                ))}
              </Grid>
            )}
            {body && <RequestBodyFields {...{ body, getErrors, typedOr }} />}
            <Row>
              <Button variant="primary" icon="play" name="intent" value="send">
                Send
              </Button>
            </Row>
          </Stack>
        </form>
        <div id="response" aria-live="polite">
          {props.outcome && <RequestOutcome outcome={props.outcome} />}
        </div>
      </Stack>
    </Card>
  );
}
