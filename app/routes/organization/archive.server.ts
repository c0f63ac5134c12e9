import { makeZip } from "client-zip";
import type { User } from "#contracts/security-service/users.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Backend } from "~/backend/backend";
import type { CallResult } from "../../../services/kit/client/client.ts";

/** The backend for the next call: reading may outlast an access token. */
type Open = () => Promise<Backend>;
type Page<Item> = { items: Item[]; nextCursor?: string | null };
type Paging = { cursor?: string; limit: number };
type Read<Item> = (backend: Backend, query: Paging) => Promise<CallResult<Page<Item>>>;
interface ArchivedFile {
  name: string;
  input: string | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

const largestPage = 200;
const readme = (
  name: string,
  at: string,
) => `All data of ${name} in API Assurance, as of ${at}. Files ending in .json are as returned by the portal's API, see /openapi.json of each service. Documents of APIs are as they
were imported, byte for byte, one for each version; files that tests send are named by their SHA-256. Secrets can't be read back from the portal, and are not in here:
neither those of credentials, of single sign-on nor secret variables, and no passwords. Of passkeys there are names and
times, and no keys.
`;

/** @throws Error, which aborts the download: half of an archive must not look complete */
function answered<Value>(result: CallResult<Value>): Value {
  if (!result.ok) throw new Error(`An export broke off: ${result.problem.code} ${result.problem.detail}`);
  return result.value;
}

/** A list as a JSON array, streamed while it is read. */
async function* toJson(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = "[\n";
  for await (const item of items) {
    yield encoder.encode(before + JSON.stringify(item));
    before = ",\n";
  }
  yield encoder.encode(before === "[\n" ? "[]\n" : "\n]\n");
}

const json = (name: string, value: unknown): ArchivedFile => ({ name, input: `${JSON.stringify(value, null, 2)}\n` });

/** Of the files that a test names. */
function listHashes(body: RequestBody): string[] {
  if (body.kind === "file") return [body.file.sha256];
  return body.kind === "multipart" ? body.parts.flatMap(({ file }) => file?.sha256 ?? []) : [];
}

/** Everything an organization has, as files of an archive; each is requested when its turn comes. */
async function* getFiles(open: Open, organization: { name: string }, at: string): AsyncGenerator<ArchivedFile> {
  const ask = async <Value>(call: (backend: Backend) => Promise<Value>): Promise<Value> => await call(await open());

  /** Every item of a list, page by page. */
  async function* getItems<Item>(read: Read<Item>): AsyncGenerator<Item> {
    let cursor: string | undefined;
    do {
      const query = { limit: largestPage, ...(cursor ? { cursor } : {}) };
      const page = answered(await ask((backend) => read(backend, query)));
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }
  const list = <Item>(name: string, read: Read<Item>): ArchivedFile => ({
    name: `${name}.json`,
    input: toJson(getItems(read)),
  });

  yield { name: "README.txt", input: readme(organization.name, at) };
  yield json("organization.json", organization);
  yield json("usage.json", answered(await ask(({ portalService }) => portalService.getUsage())));
  const billing = answered(await ask(({ portalService }) => portalService.getBillingAddress()));
  yield json("billing-address.json", billing.address);
  yield list("subscriptions", ({ portalService }, query) => portalService.listSubscriptions({ query }));
  yield list("payments", ({ portalService }, query) => portalService.listPayments({ query }));
  const users: Read<User> = ({ securityService }, query) => securityService.listUsers({ query });
  async function* passkeys() {
    for await (const { id: userId, secondFactor } of getItems(users)) {
      if (!secondFactor) continue;
      const result = await ask(({ securityService }) => securityService.listUserPasskeys({ params: { userId } }));
      // Members who left in the meantime have none here.
      if (!result.ok && result.status === 404) continue;
      for (const passkey of answered(result).items) yield { userId, ...passkey };
    }
  }
  yield list("users", users);
  yield { name: "passkeys.json", input: toJson(passkeys()) };
  yield list("invitations", ({ securityService }, query) => securityService.listInvitations({ query }));
  yield list("domains", ({ securityService }, query) => securityService.listDomains({ query }));
  const { singleSignOn } = answered(await ask(({ securityService }) => securityService.getSingleSignOn()));
  if (singleSignOn) yield json("single-sign-on.json", singleSignOn);
  yield list("credentials", ({ securityService }, query) => securityService.listCredentials({ query }));
  yield list("authorization-configs", ({ securityService }, query) =>
    securityService.listAuthorizationConfigs({ query }),
  );
  for await (const { id: apiId } of getItems(({ apiRegistry }, query) => apiRegistry.listApis({ query }))) {
    const folder = `apis/${apiId}`;
    const params = { apiId };
    yield json(`${folder}/api.json`, answered(await ask(({ apiRegistry }) => apiRegistry.getApi({ params }))));
    const environments = answered(await ask(({ apiRegistry }) => apiRegistry.listEnvironments({ params })));
    yield json(`${folder}/environments.json`, environments.items);
    const { watch } = answered(await ask(({ apiRegistry }) => apiRegistry.getDocumentWatch({ params })));
    if (watch) yield json(`${folder}/document-watch.json`, watch);
    const documents = getItems(({ apiRegistry }, query) => apiRegistry.listDocuments({ params, query }));
    for await (const { id: documentId, format } of documents) {
      const result = await ask(({ apiRegistry }) => apiRegistry.getDocument({ params: { apiId, documentId } }));
      answered<unknown>(result);
      if (result.ok && result.response.body)
        yield { name: `${folder}/documents/${documentId}.${format}`, input: result.response.body };
    }
  }
  const tests: Read<Test> = ({ testRegistry }, query) => testRegistry.listAllTests({ query });
  yield list("tests", tests);
  const sent = new Set<string>();
  for await (const { request } of getItems(tests)) {
    for (const sha256 of listHashes(request.body)) {
      if (sent.has(sha256)) continue;
      sent.add(sha256);
      const result = await ask(({ testRegistry }) => testRegistry.getFile({ params: { sha256 } }));
      // Of a test that was changed in the meantime.
      if (!result.ok && result.status === 404) continue;
      answered<unknown>(result);
      if (result.ok && result.response.body) yield { name: `files/${sha256}`, input: result.response.body };
    }
  }
  yield list("schedules", ({ testRegistry }, query) => testRegistry.listSchedules({ query }));
  yield list("maintenance-windows", ({ testRegistry }, query) => testRegistry.listMaintenanceWindows({ query }));
  for await (const { id: testCircleId } of getItems(({ testRegistry }, query) => testRegistry.listCircles({ query }))) {
    const params = { testCircleId };
    const circle = answered(await ask(({ testRegistry }) => testRegistry.getCircle({ params })));
    const levels = await ask(({ testAnalyzer }) =>
      testAnalyzer.listServiceLevels({ query: { testCircleIds: testCircleId } }),
    );
    const [level] = answered(levels).items;
    const statusPage = await ask(({ testAnalyzer }) => testAnalyzer.getStatusPage({ params }));
    yield json(`circles/${testCircleId}/circle.json`, circle);
    if (level) yield json(`circles/${testCircleId}/service-level.json`, level);
    if (statusPage.ok) yield json(`circles/${testCircleId}/status-page.json`, statusPage.value);
  }
  yield list("runs", ({ testExecutioner }, query) => testExecutioner.listRuns({ query }));
  yield list("incidents", ({ testAnalyzer }, query) => testAnalyzer.listIncidents({ query }));
  yield list("marks", ({ testAnalyzer }, query) => testAnalyzer.listMarks({ query }));
  yield list("alert-channels", ({ testAnalyzer }, query) => testAnalyzer.listChannels({ query }));
  yield list("alert-rules", ({ testAnalyzer }, query) => testAnalyzer.listRules({ query }));
}

/** The archive as a stream: only the chunk in transit is in memory. */
export function createArchive(open: Open, organization: { name: string }, at: Date): ReadableStream<Uint8Array> {
  return makeZip(getFiles(open, organization, at.toISOString()));
}
