import { makeZip } from "client-zip";
import type { Backend } from "~/backend/backend";
import type { Answer } from "../../../services/kit/client/client.ts";

type Page<Item> = { items: Item[]; nextCursor?: string | null };
type Paging = { cursor?: string; limit: number };
interface ArchivedFile {
  name: string;
  input: string | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

const largestPage = 200;
const readme = (name: string, at: string) => `All that ${name} has in API Assurance, as it was on ${at}.

What ends in .json is as the portal's API answers it, see /openapi.json of each service. Documents of APIs are as they
were imported, byte for byte, one for each version. Secrets can't be read back from the portal, and are not in here:
neither those of credentials nor secret variables, and no passwords.
`;

/** @throws Error, which breaks the download off: half of an archive must not look like a whole one */
function answered<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(`An export broke off: ${answer.problem.code} ${answer.problem.detail}`);
  return answer.value;
}

/** Every item of a list, page by page. */
async function* itemsOf<Item>(list: (query: Paging) => Promise<Answer<Page<Item>>>): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const page = answered(await list({ limit: largestPage, ...(cursor ? { cursor } : {}) }));
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}

/** A list as a JSON array, written while it is read. */
async function* jsonOf(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = "[\n";
  for await (const item of items) {
    yield encoder.encode(before + JSON.stringify(item));
    before = ",\n";
  }
  yield encoder.encode(before === "[\n" ? "[]\n" : "\n]\n");
}

const json = (name: string, value: unknown): ArchivedFile => ({ name, input: `${JSON.stringify(value, null, 2)}\n` });

/** Whatever an organization has, as files of an archive; each is asked for when its turn comes. */
async function* filesOf(backend: Backend, organization: { name: string }, at: string): AsyncGenerator<ArchivedFile> {
  const { apiRegistry, portalService, securityService, testAnalyzer, testExecutioner, testRegistry } = backend;
  const list = <Item>(name: string, read: (query: Paging) => Promise<Answer<Page<Item>>>): ArchivedFile => ({
    name: `${name}.json`,
    input: jsonOf(itemsOf(read)),
  });
  yield { name: "README.txt", input: readme(organization.name, at) };
  yield json("organization.json", organization);
  yield json("usage.json", answered(await portalService.getUsage()));
  yield json("billing-address.json", answered(await portalService.getBillingAddress()).address);
  yield list("subscriptions", (query) => portalService.listSubscriptions({ query }));
  yield list("payments", (query) => portalService.listPayments({ query }));
  yield list("users", (query) => securityService.listUsers({ query }));
  yield list("invitations", (query) => securityService.listInvitations({ query }));
  yield list("credentials", (query) => securityService.listCredentials({ query }));
  for await (const { id: apiId } of itemsOf((query) => apiRegistry.listApis({ query }))) {
    const folder = `apis/${apiId}`;
    yield json(`${folder}/api.json`, answered(await apiRegistry.getApi({ params: { apiId } })));
    yield json(
      `${folder}/environments.json`,
      answered(await apiRegistry.listEnvironments({ params: { apiId } })).items,
    );
    const documents = itemsOf((query) => apiRegistry.listDocuments({ params: { apiId }, query }));
    for await (const { id: documentId, format } of documents) {
      const answer = await apiRegistry.getDocument({ params: { apiId, documentId } });
      answered<unknown>(answer);
      if (answer.ok && answer.response.body)
        yield { name: `${folder}/documents/${documentId}.${format}`, input: answer.response.body };
    }
  }
  yield list("tests", (query) => testRegistry.listAllTests({ query }));
  yield list("schedules", (query) => testRegistry.listSchedules({ query }));
  yield list("maintenance-windows", (query) => testRegistry.listMaintenanceWindows({ query }));
  for await (const { id: testCircleId } of itemsOf((query) => testRegistry.listCircles({ query }))) {
    const circle = answered(await testRegistry.getCircle({ params: { testCircleId } }));
    const levels = answered(await testAnalyzer.listServiceLevels({ query: { testCircleIds: testCircleId } })).items;
    const statusPage = await testAnalyzer.getStatusPage({ params: { testCircleId } });
    yield json(`circles/${testCircleId}/circle.json`, circle);
    if (levels.length > 0) yield json(`circles/${testCircleId}/service-level.json`, levels[0]);
    if (statusPage.ok) yield json(`circles/${testCircleId}/status-page.json`, statusPage.value);
  }
  yield list("runs", (query) => testExecutioner.listRuns({ query }));
  yield list("incidents", (query) => testAnalyzer.listIncidents({ query }));
  yield list("marks", (query) => testAnalyzer.listMarks({ query }));
  yield list("alert-channels", (query) => testAnalyzer.listChannels({ query }));
  yield list("alert-rules", (query) => testAnalyzer.listRules({ query }));
}

/** The archive as it is read: nothing of it is held but what is on its way. */
export function archiveOf(backend: Backend, organization: { name: string }, at: Date): ReadableStream<Uint8Array> {
  return makeZip(filesOf(backend, organization, at.toISOString()));
}
