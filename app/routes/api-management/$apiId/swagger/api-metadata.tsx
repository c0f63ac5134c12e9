import type { ReactNode } from "react";
import type { ApiDescription } from "#contracts/api-registry/descriptions.ts";
import { securityInWords } from "~/features/operation/security-words";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";

/** Links leave the portal only by http, https or mailto; other schemes in a document are shown as text. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Servers, authorization and the provider of the API. */
export function ApiMetadata({ metadata }: { metadata: Omit<ApiDescription, "description"> }) {
  const { servers, securitySchemes, contact, license, termsOfService, externalDocs } = metadata;
  const contactName = contact?.name || contact?.email || contact?.url;
  return (
    <Card>
      <DefinitionList
        items={[
          {
            term: "Servers",
            value:
              servers.length === 0
                ? "None defined"
                : servers.map(({ url, description }) => (
                    <div key={url}>
                      <code>{url}</code> {description}
                    </div>
                  )),
          },
          securitySchemes.length > 0 && {
            term: "Authorization",
            value: securitySchemes.map((scheme) => (
              <div key={scheme.name}>
                {scheme.name}: {securityInWords(scheme)}
              </div>
            )),
          },
          contactName && {
            term: "Contact",
            value: (
              <>
                <OutsideLink href={contact?.url ?? (contact?.email ? `mailto:${contact.email}` : "")}>
                  {contactName}
                </OutsideLink>
                {contact?.email && contact.email !== contactName && (
                  <>
                    {" "}
                    <OutsideLink href={`mailto:${contact.email}`}>{contact.email}</OutsideLink>
                  </>
                )}
              </>
            ),
          },
          license && {
            term: "Licence",
            value: (
              <OutsideLink href={license.url ?? ""}>
                {license.name || license.identifier || license.url || "Unnamed"}
              </OutsideLink>
            ),
          },
          termsOfService && {
            term: "Terms of service",
            value: <OutsideLink href={termsOfService}>{termsOfService}</OutsideLink>,
          },
          externalDocs && {
            term: "More",
            value: <OutsideLink href={externalDocs.url}>{externalDocs.description || externalDocs.url}</OutsideLink>,
          },
        ].map((item) => item || null)}
      />
    </Card>
  );
}
