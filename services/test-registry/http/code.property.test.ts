import fc from "fast-check";
import { expect, test } from "vitest";
import { createBookshop } from "../testing/bookshop.ts";
import { openCodeWorld } from "../testing/bookshop-world.ts";
import type { CodeTenant } from "../testing/code-world.ts";

const { document, sha256 } = createBookshop();

const world = await openCodeWorld();

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,12}[A-Za-z0-9]$/);
const name = fc.oneof(word, fc.constantFrom("Bücher & mehr", "本を読む", "Ω/ω: 50 %", "“Quoted” — {{name}}"));
const text = fc.string({ maxLength: 30, unit: "grapheme" }).map((value) => value.replaceAll("\u0000", ""));
const pair = fc.record({ name: word, value: text, enabled: fc.boolean() });
const pairs = fc.array(pair, { maxLength: 3 });
const variables = fc.dictionary(fc.stringMatching(/^[a-z_]\w{0,8}$/), text, { maxKeys: 3 });

const apiVariables = fc.dictionary(
  fc.stringMatching(/^[a-z_]\w{0,8}$/),
  fc.oneof(
    text,
    fc.constantFrom({ secret: "SHOP_PASSWORD" }, { secret: "SHOP_TOKEN" }),
    fc.constantFrom<object>(
      { reference: { kind: "environment", name: "ASSURANCE_SECRET_PIN" } },
      { reference: { kind: "vault", path: "shop/live", key: "pin" } },
    ),
  ),
  { maxKeys: 3 },
);

const body = fc.oneof(
  fc.constant({ kind: "none" }),
  fc.record({ kind: fc.constant("json"), text: fc.json() }),
  fc.record({ kind: fc.constant("text"), text, mediaType: fc.constant("text/plain") }),
  fc.record({ kind: fc.constant("form"), fields: pairs }),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
);
const assertion = fc.oneof(
  fc.record({
    source: fc.constant("jsonPath"),
    property: fc.constant("$.a"),
    comparison: fc.constant("equals"),
    target: fc.oneof(numbers, text, fc.boolean(), fc.constant(null)),
  }),
  fc.record({
    source: fc.constant("statusCode"),
    comparison: fc.constantFrom("lessThan", "equals"),
    target: fc.integer({ min: 100, max: 599 }),
  }),
);
const testValue = fc.record({
  name,
  method: fc.constantFrom("get", "post", "DELETE"),
  path: fc.constantFrom("/books", "/books/{bookId}"),
  enabled: fc.constant(false),
  tags: fc.uniqueArray(word, { maxLength: 3 }),
  request: fc.record({
    ...{
      query: pairs,
      headers: fc.array(fc.record({ name: fc.constantFrom("X-A", "X-B"), value: word, enabled: fc.boolean() }), {
        maxLength: 2,
      }),
    },
    ...{ pathParameters: pairs, body, followRedirects: fc.boolean() },
    authorization: fc.constantFrom(
      { kind: "none" },
      { kind: "inherit" },
      {
        kind: "credentials",
        bindings: [{ schemeName: "key", credential: { name: "Shop key", domain: "api.example.com" } }],
      },
    ),
  }),
  assertions: fc.array(assertion, { maxLength: 3 }),
  checks: fc.subarray(["not_a_server_error", "status_code_conformance"]),
  captures: fc.constantFrom([], [{ name: "id", source: "jsonPath", property: "$.id" }]),
  data: optional(fc.array(variables, { minLength: 1, maxLength: 2 })),
  retry: fc.record({
    attempts: fc.integer({ min: 1, max: 3 }),
    backoff: fc.constantFrom("fixed", "exponential"),
    delayMilliseconds: fc.constantFrom(1_000, 50),
  }),
  timeoutMilliseconds: fc.constantFrom(30_000, 5_000),
});

const apiValue = fc.record({
  ...{
    name,
    document: fc.constant({ sha256 }),
    tags: fc.uniqueArray(word, { maxLength: 3 }),
    isDisposable: fc.boolean(),
    variables: apiVariables,
  },
  baseUrl: optional(fc.constantFrom("https://api.example.com/v2", "http://localhost:8080")),
  sendsHostCredentials: optional(fc.boolean()),
  watch: optional(
    fc.record({
      url: fc.constant("https://api.example.com/openapi.yaml"),
      everyMinutes: fc.constantFrom(15, 1_440),
      action: fc.constantFrom("takeOver", "report"),
    }),
  ),
  environments: fc.array(fc.record({ baseUrl: fc.constant("https://staging.example.com"), variables: apiVariables }), {
    maxLength: 2,
  }),
});
const recurrence = fc.constantFrom(
  { cron: "0 2 * * *" },
  { everySeconds: 900 },
  { cron: "0 9 * * *", activeHours: { from: "08:00", to: "24:00", days: ["monday", "friday"] } },
);
const circleValue = fc.record({
  ...{
    name,
    description: text.map((value) => value.trim()),
    order: fc.constantFrom("sequential", "parallel"),
    concurrency: fc.integer({ min: 1, max: 100 }),
  },
  ...{
    stopOnFailure: fc.boolean(),
    cookies: fc.boolean(),
    onlyOwn: fc.boolean(),
    password: fc.boolean(),
    tag: optional(word),
  },
  include: fc.constantFrom("safe", "all"),
  phases: fc.array(fc.constantFrom("setUp", "main", "tearDown"), { minLength: 1, maxLength: 3 }),
  schedules: fc.array(fc.tuple(recurrence, optional(word), fc.boolean()), { maxLength: 2 }),
});

const organization = fc.record({
  apis: fc.array(fc.tuple(apiValue, fc.array(testValue, { maxLength: 4 })), { minLength: 1, maxLength: 2 }),
  circle: optional(circleValue),
  policy: fc.record({
    afterRuns: optional(fc.integer({ min: 1, max: 10 })),
    onRecovery: fc.boolean(),
    severity: fc.constantFrom("low", "high"),
    remindHours: optional(fc.constant(4)),
  }),
  objective: fc.constantFrom(99.5, 90),
  headers: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("Authorization", "X-Team", "X-Trace"),
      value: fc.stringMatching(/^[a-z]{1,3}$/),
    }),
    { selector: ({ name }) => name },
  ),
  components: fc.uniqueArray(name, { maxLength: 1 }),
  title: name,
});
type Organization = ReturnType<typeof organization.generate>["value"];

function* circleObjects(
  { phases, password, schedules, tag, include, ...value }: NonNullable<Organization["circle"]>,
  tests: string[],
  { objective, title, components }: Organization,
) {
  const members = phases.map((phase, index) => {
    const test = tests[index];
    return test ? { test, phase } : { api: "api-0", ...(tag ? { tag } : {}), include, phase };
  });
  const secret = password ? [{ name: "password", value: { secret: "SHOP_PASSWORD" } }] : [];
  const reference = { kind: "environment", name: "ASSURANCE_SECRET_PIN" };
  const elsewhere = password ? [{ name: "pin", value: { reference } }] : [];
  yield {
    kind: "circle",
    key: "circle",
    value: { ...value, members, variables: [{ name: "user", value: "ada" }, ...secret, ...elsewhere] },
  };
  for (const [index, [times, name, enabled]] of schedules.entries())
    yield {
      kind: "schedule",
      parent: "circle",
      key: `s-${index}`,
      value: { ...times, name, enabled, timeZone: "Europe/Berlin" },
    };
  yield {
    kind: "alertRule",
    key: "circle-circle",
    value: { scope: { kind: "circle", circle: "circle" }, channels: ["team"] },
  };
  yield { kind: "serviceLevel", key: "circle", value: { objective, days: 30 } };
  yield {
    ...{ kind: "statusPage", key: "circle" },
    value: { title, components: components.map((name) => ({ circle: "circle", name })) },
  };
}

const toHook = ({ headers }: Organization) => ({
  ...{ kind: "webhook", name: "Hook", url: "https://hooks.example.com/alerts" },
  headers: headers.map((header) =>
    header.name === "Authorization" ? { ...header, value: { secret: "HOOK_AUTHORIZATION" } } : header,
  ),
});

function toObjects(given: Organization): object[] {
  const apis = given.apis.flatMap(([value, tests], at) => [
    {
      ...{ kind: "api", key: `api-${at}` },
      value: { ...value, environments: value.environments.map((one, index) => ({ ...one, name: `env ${index}` })) },
    },
    ...tests.map((test, index) => ({ kind: "test", parent: `api-${at}`, key: `t-${index}`, value: test })),
  ]);
  const tests = given.apis.flatMap(([, own], at) => own.map((_, index) => `api-${at}/t-${index}`));
  return [
    ...apis,
    { kind: "alertChannel", key: "team", value: { kind: "teams", name: "Team", url: { secret: "TEAMS_URL" } } },
    { kind: "alertChannel", key: "hook", value: toHook(given) },
    { kind: "alertRule", key: "all", value: { ...given.policy, scope: { kind: "organization" } } },
    ...(given.circle ? circleObjects(given.circle, tests, given) : []),
  ];
}

const secrets = {
  SHOP_PASSWORD: "correct horse",
  SHOP_TOKEN: "another one",
  TEAMS_URL: "https://example.com/hook",
  HOOK_AUTHORIZATION: "Bearer x",
};

async function applyTo(tenant: CodeTenant, objects: readonly object[]) {
  const documents = { [sha256]: await tenant.stage(document) };
  expect(await tenant.apply({ objects, documents, secrets })).toMatchObject({ state: "applied", problem: null });
  return JSON.stringify(await tenant.pullObjects());
}

test("what is pulled, applied to an empty organization and pulled again is the same, byte by byte", async () => {
  await fc.assert(
    fc.asyncProperty(organization, async (given) => {
      const objects = toObjects(given);
      const first = world.createTenant();
      const pulled = await applyTo(first, objects);
      expect((await first.plan({ objects, secrets })).items).toEqual([]);
      expect(await applyTo(world.createTenant(), JSON.parse(pulled))).toBe(pulled);
    }),
    { numRuns: process.env.ENDURANCE ? 200 : 8 },
  );
});
