import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { isOfThisMachine } from "~/features/command-line/this-machine";
import { productVersion } from "~/features/command-line/version.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { toAgentCommands } from "./agent-commands";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Add an agent to ${data?.location.name ?? "a location"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const locationId = params.locationId!;
  const { id, name } = required(await backend.testExecutioner.getLocation({ params: { locationId } }));
  return { location: { id, name }, origin: context.publicOrigin, version: productVersion };
}

/** Creates a code, which only this response displays. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const locationId = params.locationId!;
  await readForm(request);
  return data(required(await backend.testExecutioner.createAgentCode({ params: { locationId } })));
}

export default function AddAgent() {
  const { location, origin, version } = useLoaderData<typeof loader>();
  const created = useActionData<typeof action>();
  const here = href("/administration/locations/:locationId", { locationId: location.id });
  return (
    <>
      <PageHeading
        title={`Add an agent to ${location.name}`}
        breadcrumbs={[
          { label: "Locations", href: href("/administration/locations") },
          { label: location.name, href: here },
          { label: "Add an agent" },
        ]}
      />
      <Column width="prose">
        <Stack>
          {created ? (
            <CreatedCode {...{ origin, version, backHref: here }} {...created} />
          ) : (
            <Explanation locationName={location.name} backHref={here} />
          )}
          {isOfThisMachine(origin) && (
            <Notice tone="warning" title="Agents on other machines can't reach this address">
              You see this portal at <code>{origin}</code>. Its operator sets the address for others with{" "}
              <code>PUBLIC_URL</code>.
            </Notice>
          )}
        </Stack>
      </Column>
    </>
  );
}

function Explanation({ locationName, backHref }: { locationName: string; backHref: string }) {
  return (
    <Card title="What an agent does">
      <Stack>
        <p>
          An agent is a command on a machine in the network of {locationName}, with Node 20.19 or newer. It sends the
          tests of this location.
        </p>
        <Prose>
          <ul>
            <li>It only calls out, over HTTPS: no port has to be opened for it.</li>
            <li>Its own list of allowed targets decides where it sends. This portal can't widen it.</li>
            <li>Secrets come encrypted for its own key. What it returns is redacted before it leaves.</li>
          </ul>
        </Prose>
        <p>
          It is registered with a code, which is displayed once, valid for an hour, and used up by one agent. See{" "}
          <a href={href("/docs/:chapter", { chapter: "agents" })}>Agents</a> for proxies, secrets and failures.
        </p>
        <Row>
          <form method="post">
            <Button variant="primary">Create the code</Button>
          </form>
          <LinkButton href={backHref} variant="quiet">
            Cancel
          </LinkButton>
        </Row>
      </Stack>
    </Card>
  );
}

interface CreatedCodeProps {
  code: string;
  expiresAt: string;
  origin: string;
  version: string;
  backHref: string;
}

function CreatedCode({ code, expiresAt, origin, version, backHref }: CreatedCodeProps) {
  const { register, run } = toAgentCommands({ origin, version, code });
  return (
    <Card title="On a machine of this network">
      <Stack>
        <Notice role="alert" tone="warning" title="Copy it now. The code won't be shown again.">
          It registers one agent, until <Moment value={expiresAt} />.
        </Notice>
        <CodeBlock id="register" label="1. Register it, once" code={register} wrap copy />
        <CodeBlock id="run" label="2. Run it" code={run} wrap copy />
        <p>
          <code>--allow</code> names the addresses and ports that it may send to: replace <code>10.0.0.0/8:443</code> by
          those of your network. Without it, public addresses are reachable; with it, only what it names.
        </p>
        <Row>
          <LinkButton href={backHref} variant="primary">
            Done
          </LinkButton>
        </Row>
      </Stack>
    </Card>
  );
}
