import { OperationName } from "~/features/operation/operation-name";
import { SchemaTree } from "~/features/schema-view/schema-tree";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Prose } from "~/ui/prose/prose";
import type { Tone } from "~/ui/tone";
import { ContentViews } from "./content-view";
import * as styles from "./operation-sections.css";
import type { CallbackView, OperationView, ParameterView, ResponseView } from "./operation-view";

interface SectionProps<Value> {
  value: Value;
  getHref(location: string): string;
}

/** The parameters, body and responses of an operation. */
export function OperationSections({ value, getHref }: SectionProps<OperationView>) {
  const { parameterGroups, body, responses, callbacks } = value;
  return (
    <>
      {parameterGroups.map(({ title, parameters }) => (
        <Card key={title} title={title}>
          <ul className={styles.parameters}>
            {parameters.map((parameter) => (
              <li key={parameter.name} className={styles.parameter}>
                <Parameter value={parameter} getHref={getHref} />
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {body && (
        <Card title="Request body" description={body.required ? "Required" : "Optional"}>
          <Stack>
            {body.descriptionHtml && <Prose sanitizedHtml={body.descriptionHtml} />}
            <ContentViews id="body" contents={body.contents} getHref={getHref} />
          </Stack>
        </Card>
      )}
      <Card title="Responses">
        <Stack gap="small">
          {responses.length === 0 && <p>None in the document.</p>}
          {responses.map((response, index) => (
            <Response key={response.status} value={response} getHref={getHref} open={index === 0} />
          ))}
        </Stack>
      </Card>
      {callbacks.length > 0 && (
        <Card title="Callbacks" description="Requests the API sends as a result of this request (callbacks).">
          <Stack>
            {callbacks.map((callback) => (
              <Callback
                key={`${callback.name} ${callback.method} ${callback.expression}`}
                value={callback}
                getHref={getHref}
              />
            ))}
          </Stack>
        </Card>
      )}
    </>
  );
}

function Parameter({ value, getHref }: SectionProps<ParameterView>) {
  const { name, required, deprecated, descriptionHtml, serialization, schema, examples } = value;
  return (
    <Stack gap="tiny">
      <div>
        <span className={styles.parameterName}>{name}</span>
        {required && <span className={styles.required}>required</span>}
        {deprecated && <span className={styles.mark}>deprecated</span>}
      </div>
      {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
      {schema && <SchemaTree node={schema} getHref={getHref} />}
      {serialization && <p className={styles.note}>{serialization}</p>}
      {examples.length > 0 && (
        <p className={styles.note}>
          Example <code>{examples.join(" · ")}</code>
        </p>
      )}
    </Stack>
  );
}

function getTone(status: string): Tone {
  if (status.startsWith("2")) return "success";
  if (status.startsWith("4") || status.startsWith("5")) return "danger";
  return "neutral";
}

function Response({ value, getHref, open }: SectionProps<ResponseView> & { open: boolean }) {
  const { status, descriptionHtml, headers, contents, links } = value;
  const empty = headers.length === 0 && contents.length === 0 && links.length === 0;
  const words = (
    <>
      <Badge tone={getTone(status)} icon={null} className={styles.status}>
        {status}
      </Badge>
      <span className={styles.said} dangerouslySetInnerHTML={{ __html: descriptionHtml }} />
    </>
  );
  if (empty) return <div className={styles.plainResponse}>{words}</div>;
  return (
    <Disclosure summary={words} look="framed" open={open}>
      <Stack>
        <ContentViews id={`response-${status}`} contents={contents} getHref={getHref} />
        {headers.length > 0 && (
          <Stack gap="small">
            <h3 className={styles.title}>Headers</h3>
            {headers.map((header) => (
              <Parameter key={header.name} value={{ ...header, deprecated: false, examples: [] }} getHref={getHref} />
            ))}
          </Stack>
        )}
        {links.length > 0 && (
          <Stack gap="small">
            <h3 className={styles.title}>Links</h3>
            {links.map((link) => (
              <div key={link.name}>
                <code>{link.name}</code>
                {link.operationId && ` leads to ${link.operationId}`}
                {link.parameters && `: ${link.parameters}`}
                {link.descriptionHtml && <Prose sanitizedHtml={link.descriptionHtml} />}
              </div>
            ))}
          </Stack>
        )}
      </Stack>
    </Disclosure>
  );
}

function Callback({ value, getHref }: SectionProps<CallbackView>) {
  const { name, expression, method, summary, descriptionHtml, contents, responses } = value;
  return (
    <Stack gap="small">
      <h3 className={styles.title}>
        {name}: <OperationName method={method} path={expression} />
      </h3>
      {summary && <p>{summary}</p>}
      {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
      <ContentViews id={`callback-${name}-${method}`} contents={contents} getHref={getHref} />
      {responses.map(({ status, descriptionHtml: html }) => (
        <div key={status} className={styles.note}>
          <Badge tone={getTone(status)} icon={null}>
            {status}
          </Badge>{" "}
          <span className={styles.said} dangerouslySetInnerHTML={{ __html: html }} />
        </div>
      ))}
    </Stack>
  );
}
