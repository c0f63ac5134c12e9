import { useForm } from "@conform-to/react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { NamedPart } from "#libraries/redaction/secret-signs.ts";
import type { PairRow, TestFormValues } from "../test-form-values.ts";
import { PairRows } from "./pair-rows.tsx";
import { CredentialTarget } from "./secret-note.tsx";

function Rows({ headers, part }: { headers: PairRow[]; part: NamedPart }) {
  const [form, fields] = useForm<TestFormValues>({ id: "test", defaultValue: { request: { headers } } });
  const field = fields.request.getFieldset().headers;
  return <PairRows form={form} field={field} legend="Headers" noun="header" part={part} />;
}

function render(headers: [string, string][], baseUrl: string | undefined, part: NamedPart = "header"): string {
  const rows = headers.map(([name, value]) => ({ name, value, enabled: true }));
  return renderToStaticMarkup(
    <CredentialTarget.Provider value={baseUrl}>
      <Rows headers={rows} part={part} />
    </CredentialTarget.Provider>,
  );
}

test("a row with a secret says so at its value, and offers to store a credential without the secret in its address", () => {
  const markup = render(
    [
      ["X-Request-Id", "canary-id"],
      ["X-Api-Key", "canary-key"],
    ],
    "https://api.test",
  );
  expect(markup.match(/This looks like a secret/g)).toHaveLength(1);
  const [, described] = /aria-describedby="([^"]+)"[^>]*value="canary-key"/.exec(markup) ?? [];
  expect(markup).toContain(`id="${described}"`);
  const address =
    "/administration/credentials/create?domain=api.test&amp;type=apiKey&amp;in=header&amp;parameterName=X-Api-Key";
  expect(markup).toContain(`href="${address}"`);
});

test("nothing is offered to viewers who may not store credentials, or for a field that no credential fills", () => {
  for (const markup of [
    render([["X-Api-Key", "canary-key"]], undefined),
    render([["password", "canary-key"]], "https://api.test", "form"),
  ]) {
    expect(markup).toContain("This looks like a secret");
    expect(markup).not.toContain("credentials/create");
  }
});
