import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { chapters } from "../app/features/docs/chapters.ts";
import { listVariables } from "../server/variable.ts";
import { variables } from "../server/variables.ts";

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: { template?: { spec: PodSpec } };
}

interface PodSpec {
  automountServiceAccountToken: boolean;
  securityContext: Record<string, unknown>;
  containers: {
    command?: string[];
    env?: { name: string }[];
    securityContext: Record<string, unknown>;
  }[];
}

interface Kustomization {
  resources: string[];
  patches?: { target: { kind: string; name?: string }; patch: string }[];
}

const kubernetes = "deploy/kubernetes";
const read = (path: string) => readFileSync(path, "utf8");
const readJson = (path: string) => JSON.parse(read(path));
/** Merge keys are YAML 1.1's, which Compose reads. */
const readYaml = (path: string) => parse(read(path), { merge: true });

const files = readdirSync(kubernetes, { recursive: true })
  .map((name) => join(kubernetes, String(name)))
  .filter((path) => path.endsWith(".yaml"));
const kustomizations = files.filter((path) => path.endsWith("kustomization.yaml"));
/** Values of a chart. */
const ofOthers = files.filter((path) => path.endsWith("prometheus-adapter.yaml"));
const resources = files
  .filter((path) => !kustomizations.includes(path) && !ofOthers.includes(path))
  .flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => ({ path, resource: document.toJS() as Resource })),
  );
const pods = resources.flatMap(({ path, resource }) => {
  const spec = resource.spec?.template?.spec;
  return spec ? [{ name: `${path} ${resource.metadata.name}`, spec }] : [];
});

const schema = readJson("tests/fixtures/deployment/kubernetes-1.25.json");
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(schema, "kubernetes");

function listErrors({ apiVersion, kind }: Resource, value: unknown): string[] {
  const ids = Object.keys(schema.definitions).filter((name) => {
    const { properties } = schema.definitions[name];
    return properties?.kind?.enum?.includes(kind) && properties.apiVersion?.enum?.includes(apiVersion);
  });
  if (ids.length !== 1) return [`no schema of ${apiVersion} ${kind}`];
  const validate = ajv.getSchema(`kubernetes#/definitions/${ids[0]}`)!;
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
}

test("each Kubernetes resource is as its schema says, with no property that Kubernetes doesn't know", () => {
  expect(resources.length).toBeGreaterThan(15);
  expect(resources.flatMap(({ path, resource }) => listErrors(resource, resource).map((e) => `${path}: ${e}`))).toEqual(
    [],
  );
  const { resource } = resources.find(({ resource: { kind } }) => kind === "Deployment")!;
  expect(listErrors(resource, { ...resource, spec: { ...resource.spec, replica: 2 } })).not.toEqual([]);
});

test("each kustomization names existing files, and each file is named", () => {
  const named = kustomizations.flatMap((path) =>
    (readYaml(path) as Kustomization).resources.map((name) => join(dirname(path), name)),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  const unnamed = files.filter((path) => !named.includes(path) && !kustomizations.includes(path));
  expect(unnamed).toEqual(ofOthers);
  for (const path of kustomizations) {
    for (const { target, patch } of (readYaml(path) as Kustomization).patches ?? []) {
      const name = new RegExp(`^(${target.name ?? ".*"})$`);
      const targets = resources.filter(
        ({ resource }) => resource.kind === target.kind && name.test(resource.metadata.name),
      );
      expect(targets.length, `${path}: ${JSON.stringify(target)}`).toBeGreaterThan(0);
      for (const { path: pointer } of parse(patch) as { path: string }[]) {
        for (const { resource } of targets) {
          const found = pointer
            .slice(1)
            .split("/")
            .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], resource);
          expect(found, `${path}: ${pointer}`).toBeDefined();
        }
      }
    }
  }
});

test("each pod fulfils the restricted pod security standard and calls no cluster", () => {
  expect(pods).toHaveLength(4);
  for (const { name, spec } of pods) {
    expect(spec.automountServiceAccountToken, name).toBe(false);
    expect(spec.securityContext, name).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext } of spec.containers)
      expect(securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  }
});

test("Compose's file is as its schema says, and its nginx is that of the operations chapter", () => {
  const validate = new Ajv2019({ strict: false, allErrors: true }).compile(
    Object.fromEntries(
      Object.entries(readJson("tests/fixtures/deployment/compose-spec.json")).filter(([key]) => key !== "$schema"),
    ),
  );
  validate(readYaml("deploy/compose/compose.yaml"));
  expect(validate.errors ?? []).toEqual([]);
  const [, example] = /^```nginx\n(.*?)^```/ms.exec(read("docs/operations.md"))!;
  const [, ...lines] = read("deploy/compose/nginx.conf").split("\n");
  const filled = lines
    .join("\n")
    .replace(`\${PUBLIC_HOST}`, "portal.example.com")
    .replaceAll("/etc/ssl/portal/", "/etc/ssl/");
  expect(filled).toBe(example);
});

test("each variable and program that a deployment names exists", () => {
  const known = new Set(listVariables(variables).map(({ name }) => name));
  const compose = readYaml("deploy/compose/compose.yaml");
  const composed = Object.entries<{ image: string; command?: string[]; environment?: object }>(compose.services).filter(
    ([, { image }]) => image.includes("api-assurance-portal"),
  );
  const set = [
    ...composed.flatMap(([, { environment }]) => Object.keys(environment ?? {})),
    ...pods.flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name))),
    ...resources.flatMap(({ resource }) =>
      resource.kind === "ConfigMap" ? Object.keys((resource as never as { data: object }).data) : [],
    ),
    ...[...read("deploy/README.md").matchAll(/--from-literal=([A-Z_]+)/g)].map(([, name]) => name!),
  ];
  expect(set.length).toBeGreaterThan(20);
  expect(set.filter((name) => !known.has(name))).toEqual([]);

  const programs = [
    ...composed.map(([, { command }]) => command),
    ...pods.flatMap(({ spec }) => spec.containers.map(({ command }) => command)),
  ].flatMap((command) => command?.slice(1) ?? []);
  expect(new Set(programs)).toEqual(new Set(["build/process/migrate.js"]));
  expect(read("scripts/bundle-process.js")).toContain('migrate: "server/migrate.ts"');
});

test("an image is built from everything that its pages have", () => {
  const ignored = read(".dockerignore").split("\n").filter(Boolean);
  const isIgnored = (path: string) => ignored.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const needed = ["app", "public", "server", "services", ...chapters.map(({ file }) => `docs/${file}`)];
  expect(needed.filter(isIgnored)).toEqual([]);
});
