import type { ReactNode } from "react";
import type { CredentialUse as Use } from "#contracts/security-service/credentials.ts";
import { whatIsAway } from "~/backend/parts";
import { getUnavailableParts } from "~/features/credentials/credential-words";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

/** Links to the tests, APIs and authorization configs that use the credential. */
export function CredentialUse({ use }: { use: Use }) {
  const { tests, apis, authorizationConfigs: configs } = use;
  const away = getUnavailableParts(use);
  return (
    <Card title="Used by" description="Uses of this credential">
      <Stack>
        {away.length > 0 && (
          <Notice tone="warning" title={whatIsAway(away)}>
            Some uses of this credential are not shown.
          </Notice>
        )}
        {tests && (
          <div>
            <p>{tests.total === 0 ? "No test uses it." : "Tests that use it:"}</p>
            <Names total={tests.total}>
              {tests.items.map(({ id, apiId, name }) => (
                <li key={id}>
                  <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>
                </li>
              ))}
            </Names>
          </div>
        )}
        {apis && (
          <div>
            <p>
              {apis.total === 0
                ? "No API uses its domain."
                : "APIs at its domain; their tests send it when they inherit authorization:"}
            </p>
            <Names total={apis.total}>
              {apis.items.map(({ id, name }) => (
                <li key={id}>
                  <a href={href("/api-management/:apiId/details", { apiId: id })}>{name}</a>
                </li>
              ))}
            </Names>
          </div>
        )}
        {configs.total > 0 && (
          <div>
            <p>Authorization configs that use it for a security scheme:</p>
            <Names total={configs.total}>
              {configs.items.map(({ id, domain, schemeName }) => (
                <li key={id}>
                  <a
                    href={href("/administration/authorization-configs/:authorizationConfigId/edit", {
                      authorizationConfigId: id,
                    })}
                  >
                    {schemeName} at {domain}
                  </a>
                </li>
              ))}
            </Names>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function Names({ total, children }: { total: number; children: ReactNode[] }) {
  if (total === 0) return null;
  const hidden = total - children.length;
  return (
    <ul>
      {children}
      {hidden > 0 && <li>{hidden.toLocaleString("en")} more</li>}
    </ul>
  );
}
