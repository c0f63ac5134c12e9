import { expect, test } from "vitest";
import { readFiles } from "#libraries/collections/read/read-files.ts";
import { parseTest } from "../../jobs/parse-test.ts";
import type { ImportChoices, ImportPlan } from "./plan.ts";
import { planImport, type TargetApi } from "./plan-import.ts";
import { planOwnApi } from "./plan-own-api.ts";

const target: TargetApi = {
  operations: [
    { method: "get", path: "/pets", operationId: null },
    { method: "get", path: "/pets/{petId}", operationId: null },
  ],
  baseUrls: ["https://api.example.com/v1"],
  ...{ existing: [], variables: {}, environments: [], known: [], secretNames: new Set<string>() },
};
const usual: ImportChoices = {
  ...{ environment: undefined, unmatched: false, toApi: false, circles: true, environments: true, leaveOut: [] },
};

type Values = Record<string, string>;
const value = (key: string, text: string, secret: boolean) => ({
  key,
  value: text,
  ...(secret ? { type: "secret" } : {}),
});
const environment = (name: string, plain: Values, secret: Values = {}) => ({
  ...{ name, _postman_variable_scope: "environment" },
  values: [
    ...Object.entries(plain).map(([key, text]) => value(key, text, false)),
    ...Object.entries(secret).map(([key, text]) => value(key, text, true)),
  ],
});
const requests = [
  { name: "List", request: { method: "GET", url: "{{base}}/pets?team={{team}}&flag={{flag}}" } },
  { name: "Read", request: { method: "GET", url: "{{base}}/pets/{{petId}}" } },
];
const collection = (more: object = {}, item: object[] = requests) => ({
  info: { name: "Pets", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  ...{ item, variable: [value("flag", "on", false)], ...more },
});
const staging = environment(
  "Staging",
  { base: "https://staging.example.com/v1", team: "red", petId: "7" },
  { token: "canary-1a" },
);
const production = environment(
  "Production",
  { base: "https://api.example.com/v1", team: "blue" },
  { token: "canary-2b" },
);

function plan(files: object[], choices: Partial<ImportChoices> = {}, api: Partial<TargetApi> = {}): ImportPlan {
  const given = files.map((file, index) => ({ name: `${index}.json`, text: JSON.stringify(file) }));
  return planImport(readFiles(given, "postman"), { ...target, ...api }, { ...usual, ...choices }, parseTest);
}

/** The API once the plan is stored. */
function after({ apiEnvironments }: ImportPlan, edited: Partial<TargetApi["environments"][number]> = {}) {
  const known: TargetApi["known"] = apiEnvironments.map(({ key, hash, secrets }) => ({
    ...{ kind: "environment", collection: "postman Pets", key, hash, objectId: key, isEdited: false, secrets },
  }));
  const environments = apiEnvironments.map(({ name, baseUrl, variables, secrets }) => ({
    ...{ name, baseUrl, variables, secretNames: Object.keys(secrets), ...edited },
  }));
  return { known, environments };
}
const states = ({ apiEnvironments }: ImportPlan) => apiEnvironments.map(({ state }) => state);

test("each environment of the files is one of the API, with its base URL, variables and secrets", () => {
  const planned = plan([collection(), staging, production]);
  expect(planned.apiEnvironments).toMatchObject([
    {
      ...{ name: "Staging", baseUrl: "https://staging.example.com/v1", state: "new", replaces: null },
      variables: { base: "https://staging.example.com/v1", team: "red", petId: "7" },
      secretVariables: [{ name: "token", value: "canary-1a" }],
    },
    {
      name: "Production",
      baseUrl: "https://api.example.com/v1",
      secretVariables: [{ name: "token", value: "canary-2b" }],
    },
  ]);
  expect(planned.variables).toEqual({ flag: "on" });
  expect(planned.secretVariables).toEqual([]);
  expect(planned.tests.map(({ test: { path, request } }) => [path, request.baseUrl])).toEqual([
    ["/pets", undefined],
    ["/pets/{petId}", undefined],
  ]);
  expect(planned.circles[0]).toMatchObject({ environment: "Staging", variables: [] });
  expect(planned.losses).toEqual([]);
});

test("the chosen environment is where new circles run", () => {
  const { circles, environment: chosen } = plan([collection(), staging, production], { environment: "Production" });
  expect([circles[0]!.environment, chosen]).toEqual(["Production", "Production"]);
});

test("a token that differs between environments is a secret variable of each, and stays one in tests", () => {
  const auth = { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] };
  const keyed = [
    ...requests,
    {
      name: "Keyed",
      request: { method: "GET", url: "{{base}}/pets", header: [{ key: "X-Api-Key", value: "{{token}}" }] },
    },
  ];
  const planned = plan([collection({ auth }, keyed), staging, production]);
  expect(planned.credentials).toEqual([]);
  expect(planned.tests[0]!.test.request).toMatchObject({
    headers: [{ name: "Authorization", value: "Bearer {{token}}" }],
    authorization: { kind: "none" },
  });
  expect(planned.tests[2]!.test.request.headers).toContainEqual({
    name: "X-Api-Key",
    value: "{{token}}",
    enabled: true,
  });
  expect(JSON.stringify([planned.tests, planned.losses, planned.requests])).not.toContain("canary-");
});

test("one that all environments share is a credential of the host, and what goes elsewhere is never such a variable", () => {
  const auth = { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] };
  const same = environment("Same", { base: "https://same.example.com/v1" }, { token: "canary-1a" });
  const [credential] = plan([collection({ auth }), staging, same]).credentials;
  expect(credential).toMatchObject({ domain: "staging.example.com", secret: "canary-1a" });
  const elsewhere = [{ name: "Other", request: { method: "GET", url: "https://other.example.com/pets" } }];
  const planned = plan([collection({ auth }, elsewhere), staging, production]);
  expect(planned.credentials).toMatchObject([{ domain: "other.example.com" }]);
  expect(planned.tests[0]!.test.request.headers).toEqual([]);
});

test("a password that differs is stored for the chosen environment's host, and the others are said", () => {
  const auth = { type: "basic", basic: [value("username", "ada", false), value("password", "{{token}}", false)] };
  const planned = plan([collection({ auth }), staging, production]);
  expect(planned.credentials).toMatchObject([{ domain: "staging.example.com", type: "basic", secret: "canary-1a" }]);
  expect(planned.losses.map(({ of, what }) => [of, what])).toEqual([
    ["List", "secret of basic"],
    ["Read", "secret of basic"],
  ]);
});

test("the same files change no environment, edited ones change what was not edited in the portal", () => {
  const first = plan([collection(), staging]);
  expect(states(plan([collection(), staging], {}, after(first)))).toEqual(["unchanged"]);
  expect(states(plan([collection(), staging], {}, after(first, { variables: {} })))).toEqual(["unchanged"]);
  const edited = { ...staging, values: [...staging.values, value("size", "2", false)] };
  const changed = plan([collection(), edited], {}, after(first));
  expect(changed.apiEnvironments).toMatchObject([
    { state: "changed", variables: { size: "2" }, secretVariables: [{ name: "token", value: null }] },
  ]);
  expect(states(plan([collection(), edited], {}, after(first, { variables: { mine: "1" } })))).toEqual(["edited"]);
  expect(states(plan([collection(), staging], {}, { ...after(first), environments: [] }))).toEqual(["new"]);
});

test("a stored secret stays although the files have another one, unless the environment gets another host", () => {
  const first = plan([collection(), staging]);
  const renewed = environment(
    "Staging",
    { base: "https://staging.example.com/v1", team: "green", petId: "7" },
    { token: "canary-3c" },
  );
  const kept = plan([collection(), renewed], {}, after(first));
  expect(kept.apiEnvironments[0]!.secretVariables).toEqual([{ name: "token", value: null }]);
  expect(kept.losses.map(({ of, what }) => [of, what])).toEqual([["Staging", "secret token"]]);
  const moved = environment("Staging", { base: "https://elsewhere.example.com/v1" }, { token: "canary-3c" });
  const sent = plan([collection(), moved], {}, after(first));
  expect(sent.apiEnvironments).toMatchObject([
    {
      ...{ state: "changed", baseUrl: "https://elsewhere.example.com/v1" },
      secretVariables: [{ name: "token", value: "canary-3c" }],
    },
  ]);
});

test("an environment of the API that no import made stays, and values that tests use become variables of the API", () => {
  const mine = { name: "Staging", baseUrl: "https://mine.example.com", variables: {}, secretNames: ["token"] };
  const planned = plan([collection(), staging], {}, { environments: [mine] });
  expect([planned.apiEnvironments, planned.circles[0]!.environment]).toEqual([[], undefined]);
  expect(planned.variables).toEqual({ flag: "on", team: "red", petId: "7" });
  expect(planned.losses).toMatchObject([
    { of: "Staging", reason: expect.stringMatching(/has an environment of this name, which stays.*become variables/) },
  ]);
});

test("who may not change APIs, or leaves an environment out, gets its values as variables", () => {
  for (const choices of [{ environments: false }, { leaveOut: ["environment 1"] }]) {
    const planned = plan([collection(), staging], choices);
    expect([planned.apiEnvironments, planned.variables]).toEqual([[], { flag: "on", team: "red", petId: "7" }]);
  }
});

test("an environment without a base URL is at that of the API", () => {
  const planned = plan([
    collection({ variable: [value("base", "https://api.example.com/v1", false)] }),
    environment("Plain", { team: "red" }),
  ]);
  expect(planned.apiEnvironments).toMatchObject([{ name: "Plain", baseUrl: "https://api.example.com/v1" }]);
  const nowhere = plan([collection(), environment("Plain", { team: "red" })], {}, { baseUrls: [] });
  expect([nowhere.apiEnvironments, nowhere.losses.map(({ of }) => of)]).toEqual([[], ["Plain"]]);
});

test("files of variables beside Hurl's, environments of Bruno, Insomnia and HTTP clients are environments", () => {
  const insomnia = {
    ...{ _type: "export", __export_format: 4 },
    resources: [
      { _id: "wrk", _type: "workspace", name: "Pets" },
      { _id: "base", _type: "environment", parentId: "wrk", name: "Base", data: { team: "red" } },
      {
        _id: "sub",
        _type: "environment",
        parentId: "base",
        name: "Staging",
        data: { base: "https://staging.example.com", token: "canary-4d" },
      },
      { _id: "req", _type: "request", parentId: "wrk", name: "List", method: "GET", url: "{{ _.base }}/pets" },
    ],
  };
  const formats: Record<string, string>[] = [
    {
      "pets.hurl": "GET {{base}}/pets\n",
      "Staging.env": '# one\nbase=https://staging.example.com\ntoken="canary-4d"\n',
    },
    {
      "pets.http": "GET {{base}}/pets\n",
      "http-client.env.json": '{"Staging":{"base":"https://staging.example.com"}}',
      "http-client.private.env.json": '{"Staging":{"token":"canary-4d"}}',
    },
    { "insomnia.json": JSON.stringify(insomnia) },
    {
      "pets/bruno.json": '{"version":"1","name":"Pets","type":"collection"}',
      "pets/list.bru": "meta {\n  name: List\n}\n\nget {\n  url: {{base}}/pets\n}\n",
      "pets/environments/Staging.bru": "vars {\n  base: https://staging.example.com\n  token: canary-4d\n}\n",
    },
  ];
  for (const files of formats) {
    const reading = readFiles(Object.entries(files).map(([name, text]) => ({ name, text })));
    const { plan: planned } = planOwnApi(reading, { ...usual, unmatched: true }, parseTest);
    expect(planned.apiEnvironments).toMatchObject([
      {
        ...{ name: "Staging", baseUrl: "https://staging.example.com" },
        secretVariables: [{ name: "token", value: "canary-4d" }],
      },
    ]);
    expect(planned.tests).toHaveLength(1);
  }
});

test("an API that is made from the requests has the paths behind the base URLs of environments", () => {
  const live = environment("Live", { base: "https://pets.example.com" });
  const given = [collection(), staging, live].map((file, index) => ({
    ...{ name: `${index}.json`, text: JSON.stringify(file) },
  }));
  const { plan: planned, document } = planOwnApi(readFiles(given, "postman"), { ...usual, unmatched: true }, parseTest);
  expect(JSON.parse(document)).toMatchObject({
    servers: [{ url: "https://staging.example.com/v1" }],
    paths: { "/pets": {}, "/pets/{petId}": {} },
  });
  expect(planned.apiEnvironments.map(({ baseUrl }) => baseUrl)).toEqual([
    ...["https://staging.example.com/v1", "https://pets.example.com"],
  ]);
  expect(planned.tests.map(({ test: { request } }) => request.baseUrl)).toEqual([undefined, undefined]);
});
