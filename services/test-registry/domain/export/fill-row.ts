import type { Pair } from "#contracts/test-registry/requests.ts";
import type { Capture, Test } from "#contracts/test-registry/tests.ts";
import { TemplateRenderer } from "#libraries/running/variables.ts";
import { nameInRow, nothingPlaceholder, rowNameColumn } from "#libraries/template/placeholders.ts";

/** One execution of a test: a test without data has one, others one for each row. */
export type Execution = Omit<Test, "data">;

/** The test once for each of its data rows, whose values are written in place of their placeholders. */
export function listExecutions({ data, ...test }: Test): Execution[] {
  if (!data || data.length === 0) return [fill(test, {}, null)];
  return data.map((row, index) => {
    const filled = fill(test, row, index);
    return { ...filled, name: `${test.name} [${row[rowNameColumn] || `row ${index + 1}`}]` };
  });
}

function fill(test: Execution, row: Record<string, string>, index: number | null): Execution {
  const templates = new TemplateRenderer((name) => (Object.hasOwn(row, name) ? row[name] : undefined));
  const text = (value: string) => {
    const rendered = templates.render(value);
    return rendered.trim() === nothingPlaceholder ? rendered.trim() : rendered.replaceAll(nothingPlaceholder, "");
  };
  const pairs = <Item extends Pair>(items: Item[]) =>
    items.map((item) => ({ ...item, value: text(item.value) })).filter(({ value }) => value !== nothingPlaceholder);
  const { request } = test;
  const { body } = request;
  return {
    ...test,
    request: {
      ...request,
      ...(request.baseUrl ? { baseUrl: text(request.baseUrl) } : {}),
      pathParameters: pairs(request.pathParameters),
      query: pairs(request.query),
      headers: pairs(request.headers),
      cookies: pairs(request.cookies),
      body:
        body.kind === "json"
          ? { ...body, text: templates.renderJson(body.text) }
          : body.kind === "text"
            ? { ...body, text: text(body.text) }
            : body.kind === "form"
              ? { ...body, fields: pairs(body.fields) }
              : body.kind === "multipart"
                ? { ...body, parts: pairs(body.parts) }
                : body,
    },
    assertions: test.assertions.map((assertion) => {
      const isTyped = assertion.source === "jsonPath" && assertion.variableType !== "text";
      const { targetJson: _, ...rest } = assertion;
      return { ...rest, target: fillTarget(assertion.target, row, templates, isTyped) };
    }),
    captures: test.captures.map((capture): Capture => ({ ...capture, name: nameInRow(capture.name, index) })),
  };
}

/** A target that is nothing but a variable of the row is read as if it were typed in its place. */
function fillTarget(
  target: unknown,
  row: Record<string, string>,
  templates: TemplateRenderer,
  isTyped: boolean,
): unknown {
  if (Array.isArray(target)) return target.map((item) => fillTarget(item, row, templates, isTyped));
  if (typeof target === "object" && target !== null) {
    return Object.fromEntries(
      Object.entries(target).map(([name, item]) => [name, fillTarget(item, row, templates, isTyped)]),
    );
  }
  if (typeof target !== "string") return target;
  const whole = templates.findWhole(target);
  if (typeof whole !== "string" || !isTyped) return templates.render(target);
  try {
    return JSON.parse(whole);
  } catch {
    return whole;
  }
}
