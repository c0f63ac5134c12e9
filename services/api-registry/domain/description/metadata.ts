import { isRecord, type JsonRecord, toList, toOptionalText, toRecord, toText } from "#libraries/json/json-value.ts";
import type { DocumentMetadata } from "../imported-document.ts";
import type { DocumentDescriber } from "./describe-document.ts";

const maxTags = 1_000;

/** The document's description of the API as a whole. */
export function describeMetadata(root: JsonRecord, describer: DocumentDescriber): DocumentMetadata {
  const info = toRecord(root.info);
  const metadata: DocumentMetadata = {
    // The first member, so that queries find it in the beginning of the stored text.
    ownServers: [...describer.ownServers],
    servers: describer.servers,
    securitySchemes: describer.securitySchemes,
    tags: describeTags(root),
  };
  const termsOfService = toOptionalText(info.termsOfService);
  if (termsOfService) metadata.termsOfService = termsOfService;
  if (isRecord(info.contact)) metadata.contact = textMembers(info.contact, ["name", "url", "email"]);
  if (isRecord(info.license)) metadata.license = textMembers(info.license, ["name", "url", "identifier"]);
  const docs = toRecord(root.externalDocs);
  if (toText(docs.url)) metadata.externalDocs = { url: toText(docs.url), ...textMembers(docs, ["description"]) };
  return metadata;
}

function textMembers<Name extends string>(record: JsonRecord, names: Name[]): { [K in Name]?: string } {
  const members: { [K in Name]?: string } = {};
  for (const name of names) if (toText(record[name])) members[name] = toText(record[name]);
  return members;
}

/** Tags declared at the top level with their descriptions, in order. */
function describeTags(root: JsonRecord): DocumentMetadata["tags"] {
  const tags = new Map<string, DocumentMetadata["tags"][number]>();
  for (const tag of toList(root.tags).slice(0, maxTags)) {
    const name = toText(isRecord(tag) ? tag.name : tag);
    const description = toOptionalText(toRecord(tag).description) ?? toOptionalText(toRecord(tag).summary);
    if (name && !tags.has(name)) tags.set(name, { name, ...(description ? { description } : {}) });
  }
  return [...tags.values()];
}

export function getTitle(root: JsonRecord): string {
  return toText(toRecord(root.info).title).trim();
}
