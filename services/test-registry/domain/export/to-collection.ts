import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { CircleVariable } from "#contracts/test-registry/circles.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { CollectedRequest, Collection, Loss, Variable } from "#libraries/collections/collection.ts";
import { Losses } from "#libraries/collections/write/exported.ts";
import { collectAuthorization, nameSecret } from "./collected-authorization.ts";
import { collectRequest } from "./collected-request.ts";
import { listExecutions } from "./fill-row.ts";
import { hideTypedSecrets, toVariable } from "./hidden-secrets.ts";
import type { ExportedApi, KnownCredentials } from "./surroundings.ts";

/** What is exported: tests in order, and the circle that orders them. */
export interface ExportInput {
  name: string;
  description: string;
  tests: { phase: CirclePhase; test: Test }[];
  apis: Map<string, ExportedApi>;
  credentials: KnownCredentials;
  circle?: {
    order: "sequential" | "parallel";
    stopOnFailure: boolean;
    cookies: boolean;
    onlyOwn: boolean;
    variables: CircleVariable[];
  };
}

/** The tests as a collection, with what no format can say. Its secrets are variables without a value. */
export function toCollection(input: ExportInput): { collection: Collection; losses: Loss[] } {
  const losses = new Losses();
  const apis = [...input.apis.values()];
  const baseUrls = nameBaseUrls(apis);
  const variables = new Map<string, Variable>();
  const define = (variable: Variable) => {
    if (!variables.has(variable.name)) variables.set(variable.name, variable);
    if (!variable.secret) return;
    losses.add(
      input.name,
      `value of ${variable.name}`,
      "It is a secret, and never exported: set the variable in the tool.",
    );
  };
  // The first of a name counts: a circle's variable precedes an environment's.
  for (const { name, value, secret } of input.circle?.variables ?? []) define(toVariable(name, value ?? "", secret));
  for (const api of apis) {
    define({ name: baseUrls.get(api.id)!, value: api.baseUrl ?? "", secret: false });
    if (api.baseUrl === null) losses.add(api.name, "base URL", "It is not known here: set the variable in the tool.");
    for (const [name, value] of Object.entries(api.variables)) define(toVariable(name, value));
    for (const name of api.secretNames) define(toVariable(name, "", true));
  }
  const nameTyped = createTypedNames(variables);
  const phases: CirclePhase[] = [];
  const requests = input.tests.flatMap(({ phase, test }, index) => {
    const api = input.apis.get(test.apiId);
    if (!api) return [];
    return listExecutions(test).map((execution, row): CollectedRequest => {
      phases.push(phase);
      const addLoss = (what: string, reason: string) => losses.add(execution.name, what, reason);
      const operation = api.findOperation(test.method, test.path);
      const baseUrlVariable = baseUrls.get(api.id)!;
      const request = collectRequest(execution, { api, id: `${index}-${row}`, baseUrlVariable }, addLoss);
      const host = findHost(request.url.replace(`{{${baseUrlVariable}}}`, api.baseUrl ?? ""));
      const authorized = collectAuthorization(execution, host, operation, input.credentials, addLoss);
      for (const credential of authorized.used) define(toVariable(nameSecret(credential), "", true));
      const hidden = hideTypedSecrets(request, (secret) => {
        const name = nameTyped(secret);
        addLoss(
          `value of ${name}`,
          "It was typed into the request, and is never exported: set the variable in the tool.",
        );
        return name;
      });
      return {
        ...hidden,
        authorization: authorized.authorization,
        headers: [...hidden.headers, ...authorized.headers],
        query: [...hidden.query, ...authorized.query],
        cookies: [...hidden.cookies, ...authorized.cookies],
      };
    });
  });
  if (input.circle?.onlyOwn) {
    const reason = "Only the portal holds back requests that change what the run did not create.";
    losses.add(input.name, "limit to its own resources", reason);
  }
  const collection: Collection = {
    ...{ name: input.name, description: input.description, requests },
    variables: [...variables.values()],
    environments: [],
    sequences: input.circle ? [toSequence(input, input.circle, requests, phases)] : [],
    documents: apis.map(({ name }) => ({ name, url: `${name.replace(/[^\w.-]+/g, "-")}.openapi.yaml` })),
  };
  return { collection, losses: losses.list };
}

function toSequence(
  { name, description }: ExportInput,
  { order, stopOnFailure, cookies }: NonNullable<ExportInput["circle"]>,
  requests: CollectedRequest[],
  phases: CirclePhase[],
) {
  return {
    ...{ file: "", line: 0, name, description, stopOnFailure, cookies },
    requests: requests.map(({ id }) => id),
    setUp: phases.filter((phase) => phase === "setUp").length,
    tearDown: phases.filter((phase) => phase === "tearDown").length,
    parallel: order === "parallel",
  };
}

/** `baseUrl`, or one for each of several APIs. */
function nameBaseUrls(apis: ExportedApi[]): Map<string, string> {
  if (apis.length === 1) return new Map([[apis[0]!.id, "baseUrl"]]);
  const taken = new Set<string>();
  return new Map(
    apis.map(({ id, name }) => {
      const base = `baseUrl_${name.replace(/\W+/g, "_")}`;
      let unique = base;
      for (let number = 2; taken.has(unique); number += 1) unique = `${base}_${number}`;
      taken.add(unique);
      return [id, unique];
    }),
  );
}

/** One variable for each typed secret: `secret_1`. */
function createTypedNames(variables: Map<string, Variable>) {
  const names = new Map<string, string>();
  return (secret: string): string => {
    const known = names.get(secret);
    if (known !== undefined) return known;
    let number = names.size + 1;
    while (variables.has(`secret_${number}`)) number += 1;
    const name = `secret_${number}`;
    names.set(secret, name);
    variables.set(name, { name, value: "", secret: true });
    return name;
  };
}

/** Host name, with the port unless it is the scheme's default; empty if the address is not known. */
function findHost(address: string): string {
  const origin = /^https?:\/\/[^/?#]+/i.exec(address)?.[0] ?? "";
  return URL.canParse(origin) ? new URL(origin).host : "";
}
