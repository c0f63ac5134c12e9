import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { getMember } from "#libraries/json/json-value.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import { toVariable, toWords } from "../names.ts";
import { findChange } from "./changes.ts";
import { CircleDraft, type PlanParts } from "./circle-draft.ts";
import { assertEchoes } from "./echoes.ts";
import { toKey } from "./known.ts";
import { findReturnedObject, pathTo } from "./objects.ts";

/**
 * Changes existing data once, such as settings, and puts it back: what was read before is captured and sent again.
 * @returns undefined where what was there before can't be sent again
 */
export function planSetting(
  { read, change }: { read: OperationKey; change: OperationKey },
  name: string,
  parts: PlanParts,
): CircleDraft | undefined {
  const { known, tests } = parts;
  const [reader, writer] = [known.operations.get(toKey(read)), known.operations.get(toKey(change))];
  const call = tests.calls.find(change);
  const before = tests.calls.find(read);
  if (!reader || !writer || !call || !before) return undefined;
  const changed = findChange(writer, call, { created: undefined, reader, calls: tests.calls, kept: [] });
  const object = changed && findReturnedObject(reader, [changed.member]);
  if (!changed || !object) return undefined;
  const isWhole = change.method === "put";
  if (
    isWhole &&
    toComponent(writer.operation.requestBody?.content) !==
      toComponent(reader.operation.responses.find(({ status }) => /^2/.test(status))?.content)
  ) {
    return undefined;
  }
  const variable = toVariable([...toWords(name), "before"]);
  const property = isWhole ? "$" : pathTo(object, changed.member);
  const isText = object.members.get(changed.member)?.type === "string";
  const back = isWhole
    ? `{{${variable}}}`
    : JSON.stringify({ [changed.member]: 0 }).replace("0}", isText ? `"{{${variable}}}"}` : `{{${variable}}}}`);
  const circle = new CircleDraft(parts);
  const { request } = call.test;
  const drafts = {
    take: tests.call(read, {
      kind: "before",
      name: `Read the ${name}`,
      captures: [{ name: variable, source: "jsonPath", property }],
    }),
    change: tests.call(change, {
      kind: "set",
      name: `Change the ${name}`,
      request: { ...request, body: changed.body },
      sent: changed.sent,
      generated: changed.generated,
    }),
    after: tests.call(read, {
      ...{ kind: "after", name: `Read the changed ${name}`, generated: changed.generated },
      assertions: [...before.test.assertions, ...assertEchoes(writer, changed.sent, reader)],
    }),
    back: tests.call(change, {
      kind: "back",
      name: `Put back the ${name}`,
      request: { ...request, body: { ...changed.body, text: back } as typeof changed.body },
    }),
  };
  if (!drafts.take || !drafts.change || !drafts.after || !drafts.back) return undefined;
  circle.add("take", drafts.take, { phase: "setUp" });
  circle.add("change", drafts.change, { effect: "allowed", why: `It changes ${changed.member}.` });
  circle.add("readChanged", drafts.after);
  circle.add("putBack", drafts.back, { phase: "tearDown", effect: "allowed" });
  return circle;
}

const toComponent = (content: Parameters<typeof preferredContent>[0] | undefined) => {
  const schema = content && getMember(preferredContent(content), "schema");
  return getMember(schema, "$ref");
};
