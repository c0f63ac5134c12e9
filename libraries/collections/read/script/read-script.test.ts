import { expect, test } from "vitest";
import { readScript } from "./read-script.ts";

const assertionsOf = (text: string) =>
  readScript(text).assertions.map(({ source, property, comparison, target }) =>
    [source, property, comparison, target].filter((one) => one !== undefined),
  );

const inTest = (statement: string) => `const json = pm.response.json(); pm.test("holds", () => { ${statement} });`;

test.each([
  ["pm.response.to.have.status(201)", [["statusCode", "equals", 201]]],
  ["pm.expect(pm.response.code).to.be.oneOf([200, 201])", [["statusCode", "oneOf", [200, 201]]]],
  ["pm.expect(pm.response.responseTime).to.be.below(200)", [["responseTime", "lessThan", 200]]],
  ["pm.response.to.have.header('X-A', 'b')", [["header", "X-A", "equals", "b"]]],
  ["pm.expect(pm.response.text()).to.include('Rex')", [["body", "contains", "Rex"]]],
  ["pm.expect(json.pets[0].name).to.eql('Rex')", [["jsonPath", "$.pets[0].name", "equals", "Rex"]]],
  ["pm.expect(json['in stock']).to.be.a('boolean')", [["jsonPath", "$['in stock']", "hasType", "boolean"]]],
  ["pm.expect(json).to.have.property('id')", [["jsonPath", "$.id", "exists"]]],
  ["pm.expect(json.tags).to.have.lengthOf.at.least(2)", [["jsonPath", "$.tags", "lengthGreaterThan", 1]]],
  ["pm.expect(json.id).to.not.equal(pm.environment.get('old.id'))", [["jsonPath", "$.id", "notEquals", "{{old_id}}"]]],
  ["pm.expect(typeof json.id).to.equal('number')", [["jsonPath", "$.id", "hasType", "number"]]],
  ["pm.expect(!json.name.includes('x')).to.be.true", [["jsonPath", "$.name", "notContains", "x"]]],
])("%s is carried over", (statement, expected) => {
  expect(assertionsOf(inTest(statement))).toEqual(expected);
  expect(readScript(inTest(statement)).losses).toEqual([]);
});

test("variables that are set from the response are captures, and those set to a text are values", () => {
  const { captures, literals, losses } = readScript(
    'const { token } = pm.response.json(); pm.environment.set("token", token); pm.globals.set("h", pm.response.headers.get("Location")); pm.variables.set("a", "b"); pm.environment.set("t", Date.now());',
  );
  expect(captures.map(({ name, source, property }) => [name, source, property])).toEqual([
    ["token", "jsonPath", "$.token"],
    ["h", "header", "Location"],
  ]);
  expect(literals).toEqual([{ name: "a", value: "b" }]);
  expect(losses.map(({ what }) => what)).toEqual(['pm.environment.set("t", Date.now())']);
});

test.each([
  "pm.expect(json.pets.map(p => p.id)).to.include(1)",
  "pm.expect(json).to.be.jsonSchema(schema)",
  "json.pets.forEach(p => pm.expect(p.id).to.exist)",
  "if (json.a) { pm.expect(json.b).to.exist }",
  "pm.sendRequest('https://x.example')",
])("%s is not run, and said with a reason", (statement) => {
  const { assertions, losses } = readScript(inTest(statement));
  expect(assertions).toEqual([]);
  expect(losses).toHaveLength(1);
});

test("a name that gets a value that can't be said is no longer known", () => {
  expect(assertionsOf("let a = pm.response.json(); a = compute(a); pm.expect(a.id).to.eql(1);")).toEqual([]);
});

test("Bruno's and JetBrains' forms are read alike", () => {
  const bruno =
    'test("a", function() { expect(res.status).to.equal(200); expect(res.body.id).to.be.a("number"); }); bru.setVar("id", res.body.id);';
  const read = readScript(bruno, { statusIsCode: true });
  expect([read.assertions.length, read.captures.map(({ name }) => name)]).toEqual([2, ["id"]]);
  const jetBrains =
    'client.test("a", function() { client.assert(response.status === 200, "no"); }); client.global.set("t", response.body.token);';
  const other = readScript(jetBrains, { statusIsCode: true });
  expect([other.assertions, other.captures.map(({ property }) => property)]).toEqual([
    [{ source: "statusCode", property: undefined, comparison: "equals", target: 200 }],
    ["$.token"],
  ]);
});

test("what is no JavaScript, or nests without end, is a loss", () => {
  expect(readScript("pm.test(").losses[0]!.reason).toMatch(/^It is not JavaScript/);
  const deep = `pm.expect(${"(".repeat(50_000)}1${")".repeat(50_000)}).to.eql(1)`;
  expect(readScript(deep).losses).toHaveLength(1);
});
